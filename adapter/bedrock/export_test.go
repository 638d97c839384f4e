package preflightbedrock

// What the tests look at.
var (
	Format = format
	Write  = write
)
