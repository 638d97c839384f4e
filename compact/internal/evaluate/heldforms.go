package main

// This file has forms of answers of which the words and limits of the package know nothing:
// languages, tools, pauses and lists. When they were measured first, two were mended: that an answer
// comes after a pause, and that its decision is at its end.

var heldForms = []form{
	{name: "in Spanish", asks: "¿Puedo %s?",
		answers: []string{"No, todavía lo necesitamos.", "Sí, adelante con eso."}},
	{name: "in Arabic", asks: "هل يمكنني %s؟",
		answers: []string{"لا، ما زلنا بحاجة إليه.", "نعم، تفضل."}},
	{name: "in Russian", asks: "Можно %s?",
		answers: []string{"Нет, это нам ещё нужно.", "Да, давай."}},
	{name: "in Chinese", asks: "我可以 %s 吗？",
		answers: []string{"不行，这个以后还要用。", "可以，请继续。"}},
	{name: "several lines", answers: []string{
		"No. Before that:\n\n- %s has to look at it\n- the copy has to be complete",
		"Yes. Then, please:\n\n1. tell %s\n2. write it into the list",
	}},
	{name: "a number of a list", asks: "What shall I do about it: (1) %s, (2) wait, (3) leave it?",
		answers: []string{"Number 1", "I prefer (2).", "3, please."}},
	{name: "an order to confirm", asks: "Please confirm that I may %s.",
		answers: []string{"Confirmed.", "I do not confirm that, it is too early.", "Not confirmed"}},
	{name: "two questions at once", asks: "May I %s?", after: " And shall I tell the others afterwards?",
		answers: []string{"Yes to the first, no to the second.", "No, and there is no need to tell anybody."}},
	{name: "the decision in the end", ends: true, answers: []string{
		"I talked with %s about that on Monday, and there were two opinions. One was that nobody looks " +
			"at it any more. The other was that it is in the contract. So no, it stays.",
		"It was made for the move of last year, and %s has looked after it since. I asked around, and " +
			"nobody knows of a reason to keep it. You may do that, then.",
	}},
	{name: "after a pause", pause: []string{"Wait, I have to look that up.", "Of course."},
		answers: []string{"It is fine, do that.", "Better not, it is still in use."}},
	{name: "to a tool with options", tool: true, called: "AskUserQuestion",
		input: `{"questions":[{"question":"%s","header":"Next","options":[{"label":"Yes"},` +
			`{"label":"No"},{"label":"Later"}]}]}`,
		result:  `{"answers":{"0":"%s"}}`,
		answers: []string{"Yes", "No", "Later, when it is quiet"}},
	{name: "to a tool without a name for it", tool: true, called: "dialog",
		input: `{"title":"Next","message":"%s"}`, answers: []string{"yes", "no", "yes, but only today"}},
}

// heldFormSeeds are the seeds of their sessions.
var heldFormSeeds = []uint64{981, 982, 983}
