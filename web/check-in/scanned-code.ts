/** The code that a scan of the door brought along in the fragment, which no server and no log sees; null without one. */
export function scannedCode(): string | null {
  return /^#code=(\d{6})$/.exec(window.location.hash)?.[1] ?? null
}

/** Takes the code out of the address, so that a copied address or a reload does not try it again. */
export function clearScannedCode(): void {
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
}
