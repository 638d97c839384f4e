package session

import (
	"fmt"

	"github.com/go-preflight/preflight"
)

// This file contains the functions of databases that other packages register.

// find calls Find.
func (d *Database) find() (places []string, err error) {
	if d.Find == nil {
		return nil, nil
	}
	defer contain("Database.Find", &err)
	return d.Find(), nil
}

// contain makes a panic an error, which names the type of its value and does not quote it. It has
// to be deferred.
func contain(name string, err *error) {
	if p := recover(); p != nil {
		*err = &preflight.Error{
			Reason: preflight.ErrHook, Hook: name, Message: -1,
			Err: fmt.Errorf("the function panicked with a value of type %T", p),
		}
	}
}
