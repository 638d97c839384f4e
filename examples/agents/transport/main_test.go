package main

import (
	"fmt"
	"os"
)

func Example() {
	if err := play(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// dangling-answered lossless
	//   dangling-answered lossless
	// user: Stop.
	// model: Stopped.
	//   dangling-answered lossless
	//   result-moved layout
	// user: It ran after all.
	// model: Good.
	//   dangling-answered lossless
	//   result-moved layout
	// user: Where were we?
	// model: Resumed.
	//   orphan-removed lossy
	// user: And now?
	// model: Still here.
	// 5 requests, 0 refused
}
