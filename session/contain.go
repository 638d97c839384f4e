package session

import "github.com/go-preflight/preflight/internal/contain"

// This file contains the functions of databases that other packages register.

// find calls Find.
func (d *Database) find() (places []string, err error) {
	if d.Find == nil {
		return nil, nil
	}
	defer contain.Panic("Database.Find", &err)
	return d.Find(), nil
}
