/** Options that the clients of both vendors share. */

/**
 * One try (the pauses between tries are ours, so that people see them), no logging of requests, and no redirects: a
 * key in a header of its own would follow one to any server.
 */
export function agentFetch(fetcher: typeof fetch | undefined) {
  return {
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
    logLevel: "off",
    fetchOptions: { redirect: "error" },
    ...(fetcher ? { fetch: fetcher } : {}),
  } as const;
}
