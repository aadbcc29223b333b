/** Time for the browser to read the blob. */
const REVOKE_AFTER_MS = 60_000

/** Starts a download like a link with the `download` attribute. Revokes blob URLs afterwards. */
export function startDownload(url: string, name = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  if (url.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}

export function downloadText(name: string, type: string, text: string): void {
  startDownload(URL.createObjectURL(new Blob([text], { type })), name)
}
