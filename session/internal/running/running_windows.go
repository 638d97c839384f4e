package running

import "syscall"

// list lists nothing: Windows tells neither the folder nor the open files of a process
// without rights that a user does not have.
func list() (map[string]string, []Process, bool) { return nil, nil, false }

// elsewhere reports whether another process has a file open: then it cannot be opened without
// sharing it.
func elsewhere(name string) bool {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return false
	}
	file, err := syscall.CreateFile(path, syscall.GENERIC_READ, 0, nil, syscall.OPEN_EXISTING,
		syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		const sharingViolation = syscall.Errno(32)
		return err == sharingViolation
	}
	return syscall.CloseHandle(file) != nil
}
