const encoder = new TextEncoder()

/** 256 random bits as 43 characters of base64url: for tokens that nobody may guess. */
export function randomSecret(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/** SHA-256 as base64url: what is stored of a secret. Right for random secrets only, never for passwords. */
export async function sha256(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
}

/** Bytes as base64url without padding. */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}

/** Bytes of a base64url text. @throws when it is none. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
}
