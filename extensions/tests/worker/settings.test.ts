import { describe, expect, it } from "vitest";
import { DEFAULT_RELAY_SETTINGS, parseRelaySettings, settingsProblem } from "../../contract/settings.ts";

describe("stored relay settings", () => {
  it.each([undefined, null, "text", 7])("are the defaults where %j is stored", (stored) => {
    expect(parseRelaySettings(stored)).toEqual(DEFAULT_RELAY_SETTINGS);
  });

  it("keep what is given and fill in what is not", () => {
    expect(parseRelaySettings({ enabled: false, relayId: "mine", ports: [1, 2] })).toEqual({
      enabled: false,
      host: "127.0.0.1",
      ports: [1, 2],
      relayId: "mine",
    });
  });

  it("drop empty and misshapen choices", () => {
    const parsed = parseRelaySettings({ relayId: "", workspace: 7, listAllTabs: "yes" });
    expect(parsed).toEqual(DEFAULT_RELAY_SETTINGS);
  });

  it.each(["127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "::1", "[::1]"])(
    "take the loopback host %s",
    (host) => {
      expect(settingsProblem({ ...DEFAULT_RELAY_SETTINGS, host })).toBeUndefined();
    },
  );

  it.each(["example.org", "10.0.0.1", "127.0.0.1.example.org", "localhost.example", "", "0.0.0.0"])(
    "refuse the host %j",
    (host) => {
      expect(settingsProblem({ ...DEFAULT_RELAY_SETTINGS, host })).toBe("host_not_loopback");
    },
  );

  it.each([
    [[9348, 9333], "ports_invalid"],
    [[0, 5], "ports_invalid"],
    [[1, 65_536], "ports_invalid"],
    [[1.5, 3], "ports_invalid"],
    [["a", "b"], "ports_invalid"],
    [[1, 65], "ports_too_many"],
    [[1, 64], undefined],
  ])("judge the ports %j: %s", (ports, problem) => {
    expect(settingsProblem(parseRelaySettings({ ports }))).toBe(problem);
  });
});
