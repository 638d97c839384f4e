package cut

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSentences: each "|" is where a sentence ends.
func TestSentences(t *testing.T) {
	for _, marked := range []string{
		// English
		"Dr. Smith lives at No. 5 Elm St. in Boston.|He moved there.",
		"Mrs. J. R. Hale called.|Call her back at 5 p.m. today!|Will you?|Yes, e.g. at noon.",
		"Version 1.2.3 is out.|See fig. 4, i.e. the second one.",
		"He said \"Stop.\"|Then he left (at last.)|It was late.",
		"The port is 8080.|The host is db.",
		"It was not I.|We left.|Is it No. 7?|No.|Is it mine?|No.|It is hers.",
		// German
		"Der Termin ist am 3. März um 9 Uhr.|Bitte bestätigen Sie ihn.",
		"Die 2. Lieferung fehlt, z. B. die Schrauben, z.B. Nr. 7 und Muttern.|Wir warten bis zum 14. Mai.",
		"Hr. Dr. Weiß hat ca. 40 Stück, d. h. genug.|Danke!",
		// French
		"M. Dupont et Mme. Petit arrivent le 1er mai.|Le Dr. Roy aussi.",
		"Voir p. ex. la fig. 2 du texte.|Est-ce juste ?|Oui.",
		"Il a dit « Non. »|Elle est partie.",
		// Japanese
		"明日は3月5日です。|会議は10時からです。|よろしいですか？|はい！",
		"彼は「行きます。」|と言った。",
		"バージョンは2.5です。|OKです。",
		// Chinese
		"他住在北京。|电话是010-1234。|你来吗？|来！",
		"价格是3.5元。|他说：“好。”|然后走了。",
	} {
		want := strings.Split(marked, "|")
		var got []string
		for rest := strings.ReplaceAll(marked, "|", " "); rest != ""; {
			n := sentence(rest)
			got = append(got, strings.TrimSpace(rest[:n]))
			rest = strings.TrimSpace(rest[n:])
		}
		require.Equal(t, want, got)
	}
	long := strings.Repeat("a. ", 1000)
	require.LessOrEqual(t, sentence(long), Bytes+3)
}
