/** What wrangler needs to work without a network and without asking. */
export const SILENT_ENV = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CI: '1',
}
