package session

import (
	"strconv"
	"strings"
)

// This file is about versions of clients: what one version does with a damaged session, another may
// not do.

// habits are what a range of versions was measured to do when it resumes a damaged session.
type habits struct {
	// from and to are the first and the last version that were measured.
	from, to string
	// dropsOrphans reports that results without a call are left out.
	dropsOrphans bool
	// dropsDoubles reports that a record which is in the file twice is sent once.
	dropsDoubles bool
	// unsureOfHoles reports that it could not be found out which side of a lost record is left out.
	unsureOfHoles bool
}

// habitsOf returns the habits of a version, and whether that version was measured. Those of another
// are taken to be the last ones in the list.
func habitsOf(all []habits, version string) (h habits, measured bool) {
	for _, h = range all {
		if version != "" && compareVersions(h.from, version) <= 0 &&
			compareVersions(version, h.to) <= 0 {
			return h, true
		}
	}
	return h, false
}

// newerThan returns the newest version that was measured, if a version is newer.
func newerThan(all []habits, version string) string {
	if len(all) == 0 || version == "" || compareVersions(version, all[len(all)-1].to) <= 0 {
		return ""
	}
	return all[len(all)-1].to
}

// versionOf returns the version that wrote the last record that names one.
func (c *client) versionOf(l *log) string {
	version := ""
	if c.version == nil {
		return version
	}
	for _, record := range l.objects() {
		if v := c.version(record); v != "" {
			version = v
		}
	}
	return version
}

// compareVersions compares versions such as 2.1.330 number by number. What follows a hyphen or a
// plus sign does not count.
func compareVersions(a, b string) int {
	for a != "" || b != "" {
		var first, second int
		first, a = leadingNumber(a)
		second, b = leadingNumber(b)
		if first != second {
			return first - second
		}
	}
	return 0
}

func leadingNumber(version string) (n int, rest string) {
	number, rest, _ := strings.Cut(version, ".")
	if end := strings.IndexAny(number, "-+"); end >= 0 {
		number, rest = number[:end], ""
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return -1, ""
	}
	return n, rest
}
