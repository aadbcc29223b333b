import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { NewPasskey, PasskeyAssertion } from '../contract/passkeys'
import { base64url, fromBase64url } from '../lib/crypto'
import { ORIGIN } from './client'

const encoder = new TextEncoder()
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const ATTESTED_CREDENTIAL = 0x40

type Options = {
  origin?: string
  /** Sets the user-verified flag (fingerprint or PIN). If false, only the user-present flag is set. */
  isUserVerified?: boolean
}

/** A WebAuthn authenticator with one ES256 credential. `create` and `get` return what a browser would send. */
export async function newAuthenticator({ id = base64url(crypto.getRandomValues(new Uint8Array(16))) } = {}) {
  const keys = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const authenticator = { id, counter: 0, userHandle: '', create, get }
  return authenticator

  /** Registers the credential with the options that `passkeysApi.addOptions` returned. */
  async function create(
    { challenge, rp, user }: { challenge: string; rp: { id: string }; user: { id: string } },
    options: Options = {},
  ): Promise<NewPasskey> {
    authenticator.userHandle = user.id
    const { x = '', y = '' } = (await crypto.subtle.exportKey('jwk', keys.publicKey)) as JsonWebKey
    // Key type EC2, algorithm ES256, curve P-256, x and y (RFC 9053).
    const coseKey = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, fromBase64url(x)],
        [-3, fromBase64url(y)],
      ]),
    )
    const credentialId = fromBase64url(id)
    const authData = concat(
      await authenticatorData(rp.id, ATTESTED_CREDENTIAL, options),
      new Uint8Array(16), // AAGUID
      new Uint8Array([credentialId.length >> 8, credentialId.length & 255]),
      credentialId,
      coseKey,
    )
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      ...credential(),
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, options),
        attestationObject: base64url(isoCBOR.encode(attestation as never)),
        transports: ['internal'],
      },
    }
  }

  /** Logs in, with the options that `passkeysApi.options` returned. */
  async function get(
    { challenge, rpId }: { challenge: string; rpId: string },
    options: Options = {},
  ): Promise<PasskeyAssertion> {
    const clientDataJSON = clientData('webauthn.get', challenge, options)
    const authData = await authenticatorData(rpId, 0, options)
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', fromBase64url(clientDataJSON)))
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, keys.privateKey, concat(authData, hash)))
    return {
      ...credential(),
      response: {
        clientDataJSON,
        authenticatorData: base64url(authData),
        signature: base64url(toDer(signature)),
        ...(authenticator.userHandle && { userHandle: authenticator.userHandle }),
      },
    }
  }

  function credential() {
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  async function authenticatorData(rpId: string, flags: number, { isUserVerified = true }: Options) {
    const rpIdHash = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(rpId)))
    const counter = new Uint8Array(4)
    new DataView(counter.buffer).setUint32(0, authenticator.counter)
    return concat(rpIdHash, new Uint8Array([flags | USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0)]), counter)
  }
}

const clientData = (type: string, challenge: string, { origin = ORIGIN }: Options) =>
  base64url(encoder.encode(JSON.stringify({ type, challenge, origin, crossOrigin: false })))

/** Encodes an ECDSA signature of WebCrypto (r and s, 32 bytes each) as ASN.1 DER. */
function toDer(signature: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array) => {
    const start = bytes.findIndex((byte) => byte !== 0)
    const value = [...((bytes[start] ?? 0) > 127 ? [0] : []), ...bytes.slice(start)]
    return [2, value.length, ...value]
  }
  const content = [...integer(signature.slice(0, 32)), ...integer(signature.slice(32))]
  return new Uint8Array([48, content.length, ...content])
}

function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]))
}
