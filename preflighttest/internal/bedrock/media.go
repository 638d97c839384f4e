package bedrock

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/picture"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// Images, documents and video.

// kinds checks media that a family does not take
// (pydantic/pydantic-ai tests/models/cassettes/test_multimodal_tool_returns).
func kinds(r *fake.Request, found fake.Found) {
	family := family(r.Model)
	each(r, func(m message, b block) {
		for _, name := range []string{"video", "audio"} {
			if family == "claude" && read.Has(b.object, name) {
				found.Says(b.at(),
					fmt.Sprintf("This model doesn't support the %s content block that you "+
						"provided. Update the content block and try again.", name))
			}
		}
		for _, name := range []string{"image", "document"} {
			if source := read.Object(read.Object(b.object[name])["source"]); family == "claude" &&
				read.Has(source, "s3Location") {
				found.Says(b.at(),
					fmt.Sprintf("%s%s.%s.source.type: Field required", relayed, b.path,
						name))
			}
		}
		for i, c := range read.Array(b.answer()["content"]) {
			path := fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i)
			if family == "claude" &&
				(read.Has(read.Object(c), "video") || read.Has(read.Object(c), "audio")) {
				found.Says(path,
					"This model doesn't support the video content block that you provided. "+
						"Update the content block and try again.")
			}
		}
	})
}

// resultVideo checks media in a tool result that a family does not take
// (pydantic/pydantic-ai test_multimodal_tool_returns, direct-uploaded_file-video-bedrock_nova;
// https://github.com/pydantic/pydantic-ai/pull/6254).
func resultVideo(r *fake.Request, found fake.Found) {
	every := []string{"image", "document", "video"}
	families := map[string][]string{
		"nova": {"video"}, "palmyra": {"image", "video"}, "mistral": {"image", "video"},
		"qwen": every, "openai": {"image"}, "gemma": {"image"}, "moonshot": {"image"},
		"xai": {"image"},
	}
	refused := families[resultFamily(r.Model)]
	if strictest(r) {
		refused = every
	}
	if refused == nil {
		return
	}
	each(r, func(m message, b block) {
		for i, c := range read.Array(b.answer()["content"]) {
			if slices.ContainsFunc(
				refused,
				func(k string) bool { return read.Has(read.Object(c), k) },
			) {
				found.Says(fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i),
					fmt.Sprintf("%sMalformed input request: #/messages/%d/content/%d: extraneous "+
						"key [toolResult] is not permitted, please reformat your input and "+
						"try again.", relayed, b.msg, b.n))
			}
		}
	})
}

// resultFamily returns the family of a model, also of those that differ in nothing else.
func resultFamily(model string) string {
	if strings.Contains(model, "gemma") { // https://github.com/anomalyco/opencode/issues/49443
		return "gemma"
	}
	for _, family := range []string{"mistral", "qwen", "openai", "moonshot", "xai"} {
		if strings.Contains(model, family+".") || strings.Contains(model, family+"ai.") {
			return family
		}
	}
	return family(model)
}

// notPDF reports whether a document is of a known format other than PDF, or of none.
func notPDF(document map[string]any) bool {
	format := read.Text(document["format"])
	others := strings.Fields("csv doc docx xls xlsx html txt md")
	return document != nil && (format == "" || slices.Contains(others, format))
}

// documentBeside checks documents beside tool results, of which Claude takes a PDF alone
// (https://github.com/pydantic/pydantic-ai/pull/6098). The error names the calls.
func documentBeside(r *fake.Request, found fake.Found) {
	if family(r.Model) != "claude" {
		return
	}
	answers := false
	for _, m := range opened(r).messages {
		alone, documents := true, false
		here := false
		for _, b := range m.blocks {
			here = here || b.answer() != nil
			alone = alone && (b.answer() != nil || read.Has(b.object, "cachePoint"))
			documents = documents || notPDF(read.Object(b.object["document"]))
		}
		if m.role == "user" && documents && (here || answers) {
			found.Says(messagePath(m.index), relayed+"`tool_use` ids were "+
				"found without `tool_result` blocks immediately after.")
		}
		answers = m.role == "user" && here && alone
	}
}

func media(r *fake.Request, found fake.Found) {
	const images, documents = 20, 5
	for _, m := range opened(r).messages {
		count := map[string]int{}
		for _, b := range m.blocks {
			for _, name := range []string{"image", "document", "video", "audio"} {
				undocumented := name == "video" || name == "audio"
				if !read.Has(b.object, name) || r.Lenient && undocumented {
					continue
				}
				if count[name]++; m.role == "assistant" {
					found.Says(b.at(),
						fmt.Sprintf("The %s block at %s is not supported: images and documents "+
							"can only be included if the role is user.", name, b.path))
				}
			}
		}
		if count["image"] > images || count["document"] > documents {
			found.Says(messagePath(m.index),
				fmt.Sprintf("The content field at messages.%d holds %d images and %d documents. "+
					"Include up to %d images and %d documents and try again.", m.index,
					count["image"], count["document"], images, documents))
		}
	}
}

var (
	// letters, digits, the underscore, which its words leave out, and single spaces alone of all
	// white space: https://github.com/aws-samples/generative-ai-use-cases/issues/1671
	documentNameForm = regexp.MustCompile(`^[\w ()\[\]-]{1,200}$`)
	spaces           = regexp.MustCompile(`  `)
)

func documentName(r *fake.Request, found fake.Found) {
	seen := map[string]bool{}
	judge := func(document map[string]any, path string) {
		switch name := read.Text(document["name"]); {
		case document == nil:
		case !documentNameForm.MatchString(name) || spaces.MatchString(name):
			found.Says(path,
				"The document file name can only contain alphanumeric characters, whitespace "+
					"characters, hyphens, parentheses, and square brackets. The name can't "+
					"contain more than one consecutive whitespace character. Check that the "+
					"file name conforms to these restrictions and retry your request.")
		case seen[name]:
			found.Says(path,
				fmt.Sprintf("The document file name %s is used more than once. Use a different "+
					"name for each document and try again.", name))
		default:
			seen[name] = true
		}
	}
	each(r, func(m message, b block) {
		judge(read.Object(b.object["document"]), b.at()+".document.name")
		for i, c := range read.Array(b.answer()["content"]) {
			judge(read.Object(read.Object(c)["document"]),
				fmt.Sprintf("%s.toolResult.content[%d].document.name", b.at(), i))
		}
	})
}

func documentText(r *fake.Request, found fake.Found) {
	for _, m := range opened(r).messages {
		holds := func(name string) bool {
			return slices.ContainsFunc(m.blocks,
				func(b block) bool { return read.Has(b.object, name) })
		}
		if holds("document") && !holds("text") {
			found.Says(messagePath(m.index),
				fmt.Sprintf("The content field at messages.%d includes a document. Include a "+
					"text block too and try again.", m.index))
		}
	}
}

// broken finds images that nobody can decode. Claude has words of its own.
func broken(r *fake.Request, found fake.Found) {
	if family(r.Model) == "claude" {
		return
	}
	look := func(block map[string]any, path string) {
		data := read.Text(read.Object(read.Object(block["image"])["source"])["bytes"])
		if data != "" && picture.Broken(data) {
			found.Says(path, relayed+"Could not process image")
		}
	}
	each(r, func(m message, b block) {
		look(b.object, b.at())
		for i, c := range read.Array(b.answer()["content"]) {
			look(read.Object(c), fmt.Sprintf("%s.toolResult.content[%d]", b.at(), i))
		}
	})
}
