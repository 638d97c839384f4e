package atomicfile_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/atomicfile"
)

// entries returns the names and contents of the files in a folder.
func entries(t *testing.T, dir string) map[string]string {
	t.Helper()
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	got := map[string]string{}
	for _, e := range all {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		got[e.Name()] = string(data)
	}
	return got
}

// TestComplete: files take their names together, and not before; in the meantime their names say
// what they are to be.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	var files []*atomicfile.File
	for _, name := range []string{"a.json", "b.json"} {
		f, err := atomicfile.Create(filepath.Join(dir, name), 0o666)
		require.NoError(t, err)
		defer f.Remove()
		_, err = io.WriteString(f, "of "+name)
		require.NoError(t, err)
		require.Equal(t, dir, filepath.Dir(f.Temporary()))
		require.Equal(t, name, atomicfile.Unfinished(filepath.Base(f.Temporary())))
		files = append(files, f)
	}
	got := entries(t, dir)
	require.Len(t, got, 2)
	require.NotContains(t, got, "a.json")
	require.NoError(t, atomicfile.Complete(files...))
	require.Equal(t, map[string]string{"a.json": "of a.json", "b.json": "of b.json"},
		entries(t, dir))
	files[0].Remove()
	require.Len(t, entries(t, dir), 2, "a complete file stays")
}

// TestRemove: what is given up leaves nothing, and so does a file whose name a folder has.
func TestRemove(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	f, err := atomicfile.Create(name, 0o666)
	require.NoError(t, err)
	f.Remove()
	require.Empty(t, entries(t, dir))

	require.NoError(t, os.Mkdir(name, 0o777))
	f, err = atomicfile.Create(name, 0o666)
	require.NoError(t, err)
	require.Error(t, atomicfile.Complete(f))
	f.Remove()
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, all, 1)

	_, err = atomicfile.Create(filepath.Join(dir, "no", "a"), 0o666)
	require.Error(t, err)
}

// TestReplace: who reads the old file reads it to its end, the new one has its permissions,
// whatever the process takes away from new files, and a link is replaced and not followed.
func TestReplace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it has other permissions, and replaces no file that is open")
	}
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(name, []byte("old"), 0o600))
	require.NoError(t, os.Chmod(name, 0o666))
	require.NoError(t, os.Symlink(name, link))
	info, err := os.Stat(name)
	require.NoError(t, err)
	reader, err := os.Open(name)
	require.NoError(t, err)
	defer reader.Close()
	for _, to := range []string{name, link} {
		f, err := atomicfile.Replace(to, info)
		require.NoError(t, err)
		now, err := os.Stat(f.Temporary())
		require.NoError(t, err)
		require.Equal(t, info.Mode(), now.Mode(), "before it is renamed")
		_, err = io.WriteString(f, "new "+filepath.Base(to))
		require.NoError(t, err)
		require.NoError(t, atomicfile.Complete(f))
	}
	old, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, "old", string(old))
	require.Equal(t, map[string]string{"a": "new a", "link": "new link"}, entries(t, dir))
}

// TestUnfinished: only names that Create gives are those of unfinished files.
func TestUnfinished(t *testing.T) {
	for base, of := range map[string]string{
		".a.json.preflight-tmp12":          "a.json",
		".x.preflight-tmp1":                "x",
		"..preflight-tmp1":                 "",
		".preflight-tmp1":                  "",
		"a.json.preflight-tmp12":           "",
		".a.json.preflight-tmp12x":         "",
		".a.json.tmp12":                    "",
		".a.preflight-tmp1.preflight-tmp2": "a.preflight-tmp1",
		"":                                 "",
	} {
		require.Equal(t, of, atomicfile.Unfinished(base), base)
	}
}
