package main

import (
	"fmt"
	"strings"
)

// This file makes the generated sessions: sentences about topics, in the orders in which topics
// come up.

// topic is what a conversation can be about: words that go together, and things that can be asked
// later.
type topic struct {
	name   string
	things []string
	doing  []string
	soft   []string // wishes and decisions, in plain words
}

var topics = []topic{
	{"database",
		[]string{"replica", "index", "migration", "vacuum job", "connection pool", "schema"},
		[]string{
			"slows down under load", "locks the orders table", "needs a second look",
			"was rebuilt last night", "blocks the writers",
		},
		[]string{
			"never run it during office hours",
			"keep the old column until everybody has moved",
			"prefer many small steps",
		}},
	{"frontend", []string{"button", "dialog", "stylesheet", "router", "form", "bundle"},
		[]string{
			"flickers on resize",
			"ignores the keyboard",
			"renders twice",
			"looks wrong in the dark theme",
			"loads too late",
		},
		[]string{
			"leave the animation out",
			"use the softer shade of green",
			"no popups on the first visit",
		}},
	{"deployment",
		[]string{"pipeline", "rollout", "container", "helm chart", "canary", "release branch"},
		[]string{
			"waits for approval", "times out in staging", "was rolled back",
			"runs on the small nodes", "skips the smoke test",
		},
		[]string{
			"always ask before touching production",
			"wait for the night shift",
			"announce it a day ahead",
		}},
	{"billing",
		[]string{"invoice", "refund", "subscription", "tax rule", "payment method", "credit note"},
		[]string{
			"rounds the wrong way", "is charged twice", "arrives without an address",
			"expires too early", "fails for old cards",
		},
		[]string{
			"be generous with long standing customers",
			"write to them before charging",
			"stop the reminders over the holidays",
		}},
	{"search",
		[]string{"ranking", "synonym list", "crawler", "query parser", "suggestion box", "stemmer"},
		[]string{
			"prefers stale pages",
			"misses plurals",
			"returns nothing for short words",
			"takes a second too long",
			"drops accents",
		},
		[]string{
			"show fewer but better results",
			"treat the brand names as one word",
			"leave archived pages out",
		}},
	{"mobile",
		[]string{
			"push message", "login screen", "offline mode", "camera view", "settings page",
			"widget",
		},
		[]string{
			"drains the battery", "crashes on rotation", "forgets the session",
			"shows the wrong badge", "hangs after an update",
		},
		[]string{
			"support the older phones for another year",
			"ask for the location only when needed",
			"keep the tab bar at the bottom",
		}},
	{"security",
		[]string{
			"certificate", "token", "audit log", "firewall rule", "password policy",
			"session cookie",
		},
		[]string{
			"expires on a weekend", "is too broad", "was found in a log", "has no owner",
			"lets the scanner in",
		},
		[]string{
			"rotate it without telling the vendor",
			"give interns read access only",
			"treat every warning as an incident",
		}},
	{"hiring", []string{"interview", "offer", "take home task", "panel", "referral", "job advert"},
		[]string{
			"runs over time", "reads too formal", "needs another reviewer", "was moved again",
			"asks about salary",
		},
		[]string{
			"answer everybody within a week",
			"skip the puzzle questions",
			"let the team cast the final vote",
		}},
}

var fillers = []string{
	"Okay, sounds good.", "Let me check that.", "Thanks, noted.", "Can you say a bit more?",
	"Sure, one moment.", "That makes sense to me.", "I see, go on.", "Hm, not sure about that one.",
	"Right, as before.", "Good point, let us continue.",
}

// sentence returns a sentence about a topic without anything worth asking for.
func (w *writer) sentence(t topic) string {
	a, b := pick(w, t.things), pick(w, t.things)
	return pick(w, []string{
		fmt.Sprintf("The %s %s, and the %s does not help.", a, pick(w, t.doing), b),
		fmt.Sprintf("I looked at the %s again because the %s %s.", a, b, pick(w, t.doing)),
		fmt.Sprintf("Could the %s be why the %s %s?", a, b, pick(w, t.doing)),
		fmt.Sprintf("We talked about the %s before; it still %s.", a, pick(w, t.doing)),
	})
}

// plant says something worth asking for, and remembers it. Every third fact is soft.
func (w *writer) plant(t topic, n int) string {
	thing := t.things[n%len(t.things)]
	if n%3 == 2 {
		wish := t.soft[n/3%len(t.soft)]
		w.soft(fmt.Sprintf("What did we decide about the %s for %s?", thing, t.name), wish)
		return fmt.Sprintf("About the %s: %s, please.", thing, wish)
	}
	id := w.code(strings.ToUpper(t.name[:2]))
	if n%3 == 1 {
		w.hard(fmt.Sprintf("Which ticket tracks the %s in %s?", thing, t.name), id)
		return fmt.Sprintf("The %s is tracked as %s in the %s project.", thing, id, t.name)
	}
	w.hard(fmt.Sprintf("Who owns the %s of %s, and under which number?", thing, t.name), id)
	return fmt.Sprintf("%s owns the %s for %s now, extension %s.",
		pick(w, []string{"Priya", "Tomás", "Ingrid", "Kwame", "Mei"}), thing, t.name, id)
}

// converse writes n messages: topicAt returns the topic of a message, and every stride-th says
// something worth asking.
func (w *writer) converse(n, stride int, topicAt func(i int) topic) {
	planted := make(map[string]int)
	for i := range n {
		t := topicAt(i)
		w.topic = t.name
		text := w.sentence(t)
		switch {
		case i%stride == stride/2 && i < n-40:
			text = w.plant(t, planted[t.name]) + " " + text
			planted[t.name]++
		case w.rand.IntN(4) == 0:
			text, w.topic = pick(w, fillers), ""
		}
		if i%2 == 0 {
			w.user("%s", text)
		} else {
			w.assistant("%s", text)
		}
	}
}

func blocks() session {
	w := newWriter("topics one after the other", 1)
	w.converse(400, 9, func(i int) topic { return topics[i/50] })
	return w.session
}

func interleaved() session {
	w := newWriter("topics interleaved", 2)
	w.converse(400, 9, func(i int) topic { return topics[i/2%8] })
	return w.session
}

// published has the proportions of the source system's own experiment: 200 messages, 8 topics with
// 5 facts each, and mostly filler.
func published() session {
	w := newWriter("mostly filler", 3)
	planted := make(map[string]int)
	for i := range 200 {
		t := topics[i/5%8]
		text := pick(w, fillers)
		w.topic = ""
		if i%5 == 2 && i < 185 {
			w.topic = t.name
			text = w.plant(t, planted[t.name])
			planted[t.name]++
		}
		if i%2 == 0 {
			w.user("%s", text)
		} else {
			w.assistant("%s", text)
		}
	}
	return w.session
}

// corrected returns a session in which what was said is corrected later: the later answer is the
// one that counts.
func corrected() session {
	w := newWriter("corrections", 4)
	type claim struct{ thing, topic, id string }
	var open []claim
	for i := range 300 {
		t := topics[i/6%8]
		w.topic = t.name
		text := w.sentence(t)
		switch {
		case i%6 == 3 && i < 180:
			c := claim{t.things[i/6%len(t.things)], t.name, w.code("OLD")}
			open = append(open, c)
			text = fmt.Sprintf("The %s of %s has the number %s.", c.thing, c.topic, c.id)
		case i%6 == 3 && i < 250 && len(open) > 0:
			c := open[0]
			open = open[1:]
			id := w.code("NEW")
			w.hard(fmt.Sprintf("Which number has the %s of %s?", c.thing, c.topic), id)
			text = fmt.Sprintf("Correction about the %s of %s: it is %s, not %s.", c.thing, c.topic,
				id, c.id)
		}
		if i%2 == 0 {
			w.user("%s", text)
		} else {
			w.assistant("%s", text)
		}
	}
	return w.session
}

// languages returns a conversation in five languages, four of them without Latin letters.
func languages() session {
	w := newWriter("five languages", 5)
	tongues := []struct {
		name      string
		fact, ask string
		filler    []string
	}{
		{"zh", "数据库的主机名是 %s，请记住。", "数据库的主机名是什么？",
			[]string{"好的，我再看一下日志。", "这个问题昨天也出现过。", "测试环境今天很慢。", "请先备份再继续。", "缓存好像没有更新。"}},
		{"ru", "Номер договора поставщика %s, он понадобится позже.",
			"Какой номер договора поставщика?",
			[]string{
				"Хорошо, я посмотрю ещё раз.",
				"Вчера сервер тоже не отвечал.",
				"Отчёт готов, но его нужно проверить.",
				"Давайте начнём с резервной копии.",
				"Поставщик пока молчит.",
			}},
		{"ar", "رمز المستودع الرئيسي هو %s.", "ما هو رمز المستودع الرئيسي؟", []string{
			"حسناً، سأراجع السجل.",
			"المستودع بطيء اليوم.",
			"من فضلك انتظر حتى المساء.",
			"لم تصل الشحنة بعد.",
			"نحتاج إلى نسخة احتياطية.",
		}},
		{"hi", "सर्वर का पासकोड %s है।", "सर्वर का पासकोड क्या है?", []string{
			"ठीक है, मैं फिर से देखता हूँ।",
			"कल भी यही समस्या थी।",
			"रिपोर्ट शाम तक आ जाएगी।",
			"पहले बैकअप ले लीजिए।",
			"सर्वर आज धीमा है।",
		}},
		{"fr", "La référence du devis est %s, à garder.", "Quelle est la référence du devis ?",
			[]string{
				"D'accord, je regarde encore.",
				"Le client n'a pas répondu.",
				"Le devis part demain matin.",
				"Il faut d'abord une sauvegarde.",
				"La page reste très lente.",
			}},
	}
	for i := range 300 {
		t := tongues[i/4%5]
		w.topic = t.name
		text := pick(w, t.filler) + " " + pick(w, t.filler)
		if i%7 == 3 && i < 260 {
			id := w.code("K")
			w.hard(t.ask+" "+t.name, id)
			text = fmt.Sprintf(t.fact, id)
		}
		if i%2 == 0 {
			w.user("%s", text)
		} else {
			w.assistant("%s", text)
		}
	}
	return w.session
}
