const KB = 1024

/** Limits in bytes after gzip: `npm run bench` checks all, `npm test` those of script and worker. */
export const MAX_SCRIPT_BYTES = 150 * KB
export const MAX_HTML_BYTES = 36 * KB
export const MAX_WORKER_BYTES = 1000 * KB
