package bulk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/cmd/preflight/internal/bulk"
	"github.com/go-preflight/preflight/wire"
)

// shards writes n files of bodies.
func shards(t *testing.T, dir string, n, lines int) (files []string) {
	for k := range n {
		name := filepath.Join(dir, fmt.Sprintf("part-%02d.jsonl", k))
		text := strings.Repeat(fmt.Sprintf("%s\n", line(3+k)), 3) + input(lines)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		files = append(files, name)
	}
	return files
}

// written are the files of a directory, markers apart, whose dates differ from run to run.
func written(t *testing.T, dir string) map[string]string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	all := map[string]string{}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".done") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(data)
	}
	return all
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	files := shards(t, t.TempDir(), 3, 500)
	run := bulk.Run{Lines: bulk.Lines{Jobs: 3}, Dir: filepath.Join(dir, "out")}
	count, err := run.Files(context.Background(), files)
	require.NoError(t, err)
	require.Equal(t, bulk.Count{Lines: 3 * 503, Changed: count.Changed, Failed: 15}, count)
	got := written(t, run.Dir)
	require.Len(t, got, 6, "outputs and reports, and nothing else")
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		out, _, reports := oneByOne(t, string(data), false)
		require.Equal(t, out, got[filepath.Base(file)])
		lines := strings.Split(strings.TrimSpace(got[filepath.Base(file)+".report"]), "\n")
		require.Len(t, lines, len(reports))
		var last struct {
			Line int
			wire.Outcome
		}
		require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &last))
		require.Equal(t, strings.Count(string(data), "\n")+1, last.Line)
	}
}

// TestSkipped: a finished shard is left alone, until its input, its output or the options change.
func TestSkipped(t *testing.T) {
	dir := t.TempDir()
	files := shards(t, t.TempDir(), 2, 50)
	var options wire.Options
	again := func() (skipped int) {
		run := bulk.Run{
			Lines: bulk.Lines{Options: &options}, Dir: dir,
			Skipped: func(string, int64) { skipped++ },
		}
		count, err := run.Files(context.Background(), files)
		require.NoError(t, err)
		require.Equal(t, 2*53, count.Lines, "skipped ones count too")
		return skipped
	}
	require.Equal(t, 0, again())
	require.Equal(t, 2, again())
	options.Options.Dangling = preflight.DanglingAnswer
	require.Equal(t, 0, again())
	require.Equal(t, 2, again())
	require.NoError(t, os.Truncate(filepath.Join(dir, "part-01.jsonl"), 10))
	require.Equal(t, 1, again())
	require.NoError(t, os.Chtimes(files[0], time.Time{}, time.Now().Add(time.Hour)))
	require.Equal(t, 1, again())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "part-01.jsonl.done"), []byte("{"), 0o600))
	require.Equal(t, 1, again())
	require.NoError(t, os.Remove(filepath.Join(dir, "part-01.jsonl.report")))
	require.Equal(t, 1, again())
}

func TestDeadLetters(t *testing.T) {
	dir := t.TempDir()
	files := shards(t, t.TempDir(), 2, 200)
	run := bulk.Run{Dir: dir, DeadLetters: filepath.Join(dir, "dead")}
	for k := range 3 { // the second skips, and the third misses a file
		if k == 2 {
			require.NoError(t, os.Remove(filepath.Join(dir, "part-00.jsonl.dead")))
		}
		_, err := run.Files(context.Background(), files)
		require.NoError(t, err)
		got := written(t, dir)
		var letters string
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			out, dead, _ := oneByOne(t, string(data), true)
			require.Equal(t, out, got[filepath.Base(file)])
			letters += dead
		}
		require.Equal(t, 4, strings.Count(letters, "\n"))
		require.Equal(t, letters, got["dead"])
	}
}

// TestDeadLettersStayLines: the last line of a shard, which has no line end, is a line of its own
// in the file of all dead letters.
func TestDeadLettersStayLines(t *testing.T) {
	in, dir := t.TempDir(), t.TempDir()
	var files []string
	for k, text := range []string{"{1", "", "{2\n{3", line(1), "{4\r\n", "{5"} {
		files = append(files, filepath.Join(in, fmt.Sprint(k)))
		require.NoError(t, os.WriteFile(files[k], []byte(text), 0o600))
	}
	run := bulk.Run{Dir: dir, DeadLetters: filepath.Join(dir, "dead")}
	_, err := run.Files(context.Background(), files)
	require.NoError(t, err)
	got := written(t, dir)
	require.Equal(t, "{1\n{2\n{3\n{4\r\n{5", got["dead"])
	require.Equal(t, "{2\n{3", got["2.dead"], "unchanged")
}

// TestLeftovers: what a run that was killed left is removed, and no other file, however it is
// named.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, name := range []string{
		".dead.tmpl", ".dead.tmp1", ".dead.preflight-tmp7", ".0.preflight-tmp8",
	} {
		files = append(files, filepath.Join(dir, name))
		require.NoError(t, os.WriteFile(files[len(files)-1], []byte(line(1)), 0o600))
	}
	for _, name := range []string{
		"a.jsonl", ".a.jsonl.preflight-tmp12x", ".a.jsonl.tmp1", ".b.jsonl.preflight-tmp1",
		".a.jsonl.preflight-tmp12", ".a.jsonl.report.preflight-tmp3", ".dead.preflight-tmp4",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(line(1)), 0o600))
	}
	in := filepath.Join(t.TempDir(), "a.jsonl")
	require.NoError(t, os.WriteFile(in, nil, 0o600))
	run := bulk.Run{Dir: t.TempDir(), DeadLetters: filepath.Join(dir, "dead")}
	_, err := run.Files(context.Background(), files)
	require.NoError(t, err)
	run = bulk.Run{Dir: dir}
	_, err = run.Files(context.Background(), []string{in})
	require.NoError(t, err)
	for _, name := range files {
		require.FileExists(t, name, "an input")
	}
	got := written(t, dir)
	require.Contains(t, got, ".a.jsonl.preflight-tmp12x")
	require.Contains(t, got, ".a.jsonl.tmp1")
	require.Contains(t, got, ".b.jsonl.preflight-tmp1", "of a shard that another machine repairs")
	require.NotContains(t, got, ".a.jsonl.preflight-tmp12")
	require.NotContains(t, got, ".a.jsonl.report.preflight-tmp3")
	require.NotContains(t, got, ".dead.preflight-tmp4")
}

func TestFilesRefused(t *testing.T) {
	dir := t.TempDir()
	files := shards(t, dir, 1, 5)
	for _, run := range []bulk.Run{
		{Dir: dir},
		{Dir: t.TempDir(), DeadLetters: files[0]},
	} {
		_, err := run.Files(context.Background(), files)
		require.ErrorContains(t, err, "would replace the input")
	}
	run := bulk.Run{Dir: t.TempDir()}
	_, err := run.Files(context.Background(), append(files, shards(t, t.TempDir(), 1, 5)...))
	require.ErrorContains(t, err, "the same output")
	_, err = run.Files(context.Background(), []string{filepath.Join(dir, "none")})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = run.Files(context.Background(), []string{dir})
	require.ErrorContains(t, err, "is a directory")
}

// TestOutputsApart: nothing that a run writes takes the place of another thing that it writes, by
// whatever name it is called.
func TestOutputsApart(t *testing.T) {
	top := t.TempDir()
	dir, linked := filepath.Join(top, "out"), filepath.Join(top, "linked")
	files := shards(t, t.TempDir(), 1, 5)
	out := filepath.Join(dir, filepath.Base(files[0]))
	require.NoError(t, os.Symlink(dir, linked))
	soft, hard := filepath.Join(top, "soft"), filepath.Join(top, "hard")
	names := []string{
		out, out + ".report", out + ".dead", out + ".done",
		filepath.Join(dir, strings.ToUpper(filepath.Base(out))),
		top + "/out/../out//./" + filepath.Base(out), filepath.Join(linked, filepath.Base(out)),
	}
	for range 2 { // the second after a run
		for _, name := range names {
			run := bulk.Run{Dir: dir, DeadLetters: name}
			_, err := run.Files(context.Background(), files)
			require.ErrorContains(t, err, "would replace the output", name)
		}
		before := written(t, dir)
		run := bulk.Run{Dir: dir, DeadLetters: filepath.Join(dir, "dead")}
		_, err := run.Files(context.Background(), files)
		require.NoError(t, err)
		if len(names) > 7 {
			require.Equal(t, before, written(t, dir), "a run that is refused changes nothing")
			break
		}
		require.NoError(t, os.Symlink(out, soft))
		require.NoError(t, os.Link(out, hard))
		names = append(names, soft, hard)
	}
	for _, name := range []string{dir, os.DevNull} {
		run := bulk.Run{Dir: dir, DeadLetters: name}
		_, err := run.Files(context.Background(), files)
		require.ErrorContains(t, err, "not a regular file")
	}
	run := bulk.Run{Dir: dir, DeadLetters: filepath.Join(top, "none", "dead")}
	_, err := run.Files(context.Background(), files)
	require.ErrorIs(t, err, os.ErrNotExist, "before it repairs anything")

	report := files[0] + ".report"
	require.NoError(t, os.WriteFile(report, nil, 0o600))
	run = bulk.Run{Dir: dir}
	_, err = run.Files(context.Background(), append(files, report))
	require.ErrorContains(t, err, "the same output")
}

// childEnv makes the test program a run that can be killed: over the files of the first directory,
// into the second.
const childEnv = "PREFLIGHT_BULK_CHILD"

func TestMain(m *testing.M) {
	in, out, child := strings.Cut(os.Getenv(childEnv), "\n")
	if !child {
		os.Exit(m.Run())
	}
	files, err := filepath.Glob(filepath.Join(in, "*"))
	if err == nil {
		run := bulk.Run{
			Lines: bulk.Lines{Jobs: 2}, Dir: out, DeadLetters: filepath.Join(out, "dead"),
		}
		_, err = run.Files(context.Background(), files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// TestKilled kills runs in the middle, again and again: the run that ends has written what a run
// that was left alone writes, and nothing else.
func TestKilled(t *testing.T) {
	in, whole, killed := t.TempDir(), t.TempDir(), t.TempDir()
	shards(t, in, 12, 1500)
	child := func(out string) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childEnv+"="+in+"\n"+out)
		return cmd
	}
	start := time.Now()
	text, err := child(whole).CombinedOutput()
	require.NoError(t, err, string(text))
	took := time.Since(start)

	middle := 0
	for k := range 4 {
		cmd := child(killed)
		require.NoError(t, cmd.Start())
		time.Sleep(took * time.Duration(k+2) / 12)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		done, err := filepath.Glob(filepath.Join(killed, "*.done"))
		require.NoError(t, err)
		if len(done) > 0 && len(done) < 12 {
			middle++
		}
	}
	require.Positive(t, middle, "no run was killed in the middle")
	text, err = child(killed).CombinedOutput()
	require.NoError(t, err, string(text))
	require.Equal(t, written(t, whole), written(t, killed))
}
