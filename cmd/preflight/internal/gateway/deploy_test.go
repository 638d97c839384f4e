package gateway_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// This file holds the files in deploy against the gateway.

func deployed(t *testing.T, name string) string {
	data, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	require.NoError(t, err)
	return string(data)
}

// The dashboard and the alerts ask for metrics that exist, by labels that they have.
func TestDeployedMetrics(t *testing.T) {
	_, url, _ := running(t, gateway.Config{
		Routes: []gateway.Route{
			{Prefix: "/a", Upstream: answering(t, 200, "yes"), Provider: "anthropic"},
		},
	}, nil)
	post(t, url+"/a/v1/messages", aborted[0].body)
	written := get(t, url+"/metrics")
	labels := map[string]bool{"le": true, "$labels": true}
	for _, name := range regexp.MustCompile(`[{,]([a-z]+)="`).FindAllStringSubmatch(written, -1) {
		labels[name[1]] = true
	}
	labels["reason"], labels["cause"] = true, true // of skips and failures, of which there are none
	used := regexp.MustCompile(`\bpreflight_[a-z_]+`)
	grouped := regexp.MustCompile(`by \(([a-z, ]+)\)`)
	dashboard, alerts := deployed(t, "grafana.json"), deployed(t, "alerts.yaml")
	require.True(t, json.Valid([]byte(dashboard)))
	for _, text := range []string{dashboard, alerts} {
		names := used.FindAllString(text, -1)
		require.Greater(t, len(names), 5)
		for _, name := range names {
			require.Contains(t, written, "# TYPE "+strings.TrimSuffix(name, "_bucket")+" ")
		}
		for _, by := range grouped.FindAllStringSubmatch(text, -1) {
			for label := range strings.SplitSeq(by[1], ", ") {
				require.True(t, labels[label], label)
			}
		}
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(alerts), &rules))
	require.NotEmpty(t, rules.Groups[0].Rules)
	for _, r := range rules.Groups[0].Rules {
		require.Regexp(t, used, r.Expr, r.Alert)
	}
}

// Prometheus takes the alerts, each of which fires in a test of its own, and the metrics.
func TestDeployedPrometheus(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed: it is part of Prometheus")
	}
	_, url, _ := running(t, gateway.Config{
		Routes: []gateway.Route{
			{Prefix: "/a", Upstream: answering(t, 200, "yes"), Provider: "anthropic"},
		},
	}, nil)
	post(t, url+"/a/v1/messages", aborted[0].body)
	for _, c := range []struct {
		in   string
		args []string
	}{
		{"", []string{"check", "rules", "alerts.yaml"}},
		{"", []string{"test", "rules", "alerts.test.yaml"}},
		{get(t, url+"/metrics"), []string{"check", "metrics"}},
	} {
		cmd := exec.Command(promtool, c.args...)
		cmd.Dir, cmd.Stdin = filepath.Join("..", "..", "deploy"), strings.NewReader(c.in)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%v: %s", c.args, out)
	}
	var rules struct {
		Groups []struct{ Rules []struct{ Alert string } }
	}
	require.NoError(t, yaml.Unmarshal([]byte(deployed(t, "alerts.yaml")), &rules))
	for _, r := range rules.Groups[0].Rules {
		require.Equal(t, 2, strings.Count(deployed(t, "alerts.test.yaml"), "alertname: "+r.Alert),
			"%s is tested firing, and not", r.Alert)
	}
}

// The configurations are right, and Kubernetes waits longer than the gateway drains.
func TestDeployedConfigs(t *testing.T) {
	_, err := gateway.ParseConfig([]byte(deployed(t, "config.json")))
	require.NoError(t, err)
	documents := yaml.NewDecoder(strings.NewReader(deployed(t, "kubernetes/preflight.yaml")))
	kinds := map[string]map[string]any{}
	for {
		var d map[string]any
		if documents.Decode(&d) != nil {
			break
		}
		kinds[d["kind"].(string)] = d
	}
	require.Len(t, kinds, 4)
	text := kinds["ConfigMap"]["data"].(map[string]any)["config.json"].(string)
	require.JSONEq(t, deployed(t, "config.json"), text)
	pod := kinds["Deployment"]["spec"].(map[string]any)["template"].(map[string]any)["spec"]
	require.EqualValues(t, 330, pod.(map[string]any)["terminationGracePeriodSeconds"])
	container := pod.(map[string]any)["containers"].([]any)[0].(map[string]any)
	require.Contains(t, container["args"], "--drain-delay=15s")
	require.Contains(t, container["args"], "--drain=5m")
}

// TestRunbook: the runbook has a row for each alert, and for no other.
func TestRunbook(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "runbook.md"))
	require.NoError(t, err)
	names := regexp.MustCompile(`\bPreflight[A-Z]\w+`)
	var alerts []string
	for _, m := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(
		deployed(t, "alerts.yaml"), -1) {
		alerts = append(alerts, m[1])
	}
	require.ElementsMatch(t, alerts, names.FindAllString(string(page), -1))
}
