package preflightbedrock

// Format is how messages become JSON and JSON becomes messages.
var Format = format
