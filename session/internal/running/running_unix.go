//go:build unix && !linux

package running

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// list asks ps for the processes and lsof for their folders and open files.
func list() (open map[string]string, running []Process, listed bool) {
	open = map[string]string{}
	lines, err := exec.Command("ps", "-axww", "-o", "pid=,args=").Output()
	if err != nil {
		return open, nil, false
	}
	folders := map[string]string{}
	// an error is that some files could not be listed, those of other users
	files, _ := exec.Command("lsof", "-n", "-P", "-w", "-F", "pfn").Output()
	id, cwd := "", false
	for line := range strings.Lines(string(files)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		switch value := line[1:]; line[0] {
		case 'p':
			id = value
		case 'f':
			cwd = value == "cwd"
		case 'n':
			if cwd {
				folders[id] = value
			} else if id != fmt.Sprint(os.Getpid()) {
				open[value] = id
			}
		}
	}
	for line := range strings.Lines(string(lines)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] == fmt.Sprint(os.Getpid()) {
			continue
		}
		running = append(running, Process{fields[0], fields[1:], folders[fields[0]]})
	}
	return open, running, true
}

func elsewhere(string) bool { return false }
