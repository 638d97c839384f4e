// Package running lists the processes of the system, and the files that they have open.
package running

// Process is a running program.
type Process struct {
	ID   string
	Args []string
	Dir  string // its working folder, "" if the system does not tell
}

// List returns the files that other processes have open, each with one of those processes, and the
// processes. listed reports whether the system tells them. Tests put a list of their own in its
// place, so that they do not depend on what the machine runs.
var List = list

// Elsewhere reports whether another process has a file open, where List does not tell.
var Elsewhere = elsewhere
