package command

// inOrder runs do for 0 to n-1 on a number of goroutines, and use with the results, in order and on
// the calling goroutine. At any time only a few results exist.
func inOrder[T any](workers, n int, do func(int) T, use func(int, T)) {
	type job struct {
		k    int
		done chan T
	}
	workers = max(1, min(workers, n))
	todo, started := make(chan job), make(chan job, 2*workers)
	for range workers {
		go func() {
			for j := range todo {
				j.done <- do(j.k)
			}
		}()
	}
	go func() {
		for k := range n {
			j := job{k, make(chan T, 1)}
			started <- j
			todo <- j
		}
		close(todo)
		close(started)
	}()
	for j := range started {
		use(j.k, <-j.done)
	}
}
