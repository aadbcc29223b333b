import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Decrypter } from 'age-encryption'
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  MANIFEST_PATH,
  type ManifestEntry,
  type ManifestHeader,
  OPERATIONAL_PREFIXES,
} from './contents'
import { readTar, type TarEntry, TarError } from './tar'

/** The archive cannot be restored. `message` is for the operator. */
export class ArchiveError extends Error {}

/** Reads the archive's file from its start. Can be called several times. */
type OpenFile = () => AsyncIterable<Uint8Array>

export type ArchiveSource = { open: OpenFile; passphrase?: string | undefined }

/** Limits of what is read into memory: a manifest, and a page of rows. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024
export const MAX_PAGE_BYTES = 64 * 1024 * 1024

const AGE_START = 'age-encryption.org/v1\n'
const INCOMPLETE = 'This archive is incomplete: its end is missing. Download it again.'
const INCOMPLETE_OR_DAMAGED = 'This archive is incomplete or damaged. Download it again.'
const DAMAGED = 'This archive is damaged or was changed. Download it again.'
const NOT_AN_ARCHIVE = 'This file is not an archive of this site.'

type Manifest = { header: ManifestHeader; entries: ManifestEntry[] }

/** An entry as listed in the manifest, with its bytes. Reading `body` to its end checks the SHA-256. */
type VerifiedEntry = { entry: ManifestEntry; body: AsyncIterable<Uint8Array> }

type Expectations = {
  migrations: readonly string[]
  secretCheck: string
  /** Tables whose rows an archive may contain. */
  tables: ReadonlySet<string>
}

/** Reads the whole archive and checks every byte. @throws ArchiveError. */
export async function verifyArchive(source: ArchiveSource, expected: Expectations): Promise<Manifest> {
  // An array, because TypeScript does not track the assignment of a variable in a callback.
  const manifests: Manifest[] = []
  for await (const { body } of readArchive(source, (manifest) => {
    checkHeader(manifest.header, expected)
    checkEntries(manifest.entries, expected)
    manifests.push(manifest)
  }))
    for await (const _ of body);
  const [manifest] = manifests
  if (!manifest) throw new ArchiveError(INCOMPLETE)
  return manifest
}

function checkHeader(header: ManifestHeader, { migrations, secretCheck }: Expectations): void {
  if (header.format !== ARCHIVE_FORMAT || header.version !== ARCHIVE_VERSION) throw new ArchiveError(NOT_AN_ARCHIVE)
  if (header.secretCheck !== secretCheck)
    throw new ArchiveError(
      'This archive was made with another SIGNING_SECRET. Set the secret of the archived site first: passwords remain valid, but links and keyed hashes depend on it.',
    )
  const last = header.migrations.at(-1) ?? 'none'
  if (header.migrations.join() !== migrations.join())
    throw new ArchiveError(
      `This archive’s last migration is ${last}, and the database’s is ${migrations.at(-1) ?? 'none'}. Check out the version that made the archive, restore, then upgrade.`,
    )
}

/** Rejects duplicate entries, and entries that no archive contains, such as rows of the restore's own table. */
function checkEntries(entries: readonly ManifestEntry[], { tables }: Expectations): void {
  const isAllowed = (entry: ManifestEntry) =>
    'table' in entry
      ? tables.has(entry.table)
      : !OPERATIONAL_PREFIXES.some((prefix) => String(entry.key).startsWith(prefix))
  const foreign = entries.find((entry) => !isAllowed(entry))
  if (foreign) throw new ArchiveError(`${NOT_AN_ARCHIVE} It has ${foreign.path}, which no archive of this site has.`)
  if (new Set(entries.map(({ path }) => path)).size < entries.length) throw new ArchiveError(DAMAGED)
}

/** The entries after the manifest, in its order. @throws ArchiveError. */
export async function* readArchive(
  { open, passphrase }: ArchiveSource,
  onManifest: (manifest: Manifest) => void = () => undefined,
): AsyncGenerator<VerifiedEntry> {
  try {
    const files = readTar(await openDecrypted(open, passphrase))
    const first = await files.next()
    if (first.done || first.value.path !== MANIFEST_PATH) throw new ArchiveError(NOT_AN_ARCHIVE)
    const manifest = parseManifest(await readText(first.value, MAX_MANIFEST_BYTES))
    onManifest(manifest)
    const listedEntries = manifest.entries.values()
    for await (const file of files) {
      const { value: entry } = listedEntries.next()
      if (!entry || file.path !== entry.path || file.sizeBytes !== entry.sizeBytes) throw new ArchiveError(DAMAGED)
      yield { entry, body: checkedBody(file, entry) }
    }
    if (!listedEntries.next().done) throw new ArchiveError(INCOMPLETE)
  } catch (error) {
    throw toArchiveError(error)
  }
}

/** The bytes of the tar file, decrypted if necessary. */
async function openDecrypted(open: OpenFile, passphrase: string | undefined): Promise<AsyncIterable<Uint8Array>> {
  const start = Buffer.alloc(AGE_START.length)
  let readBytes = 0
  for await (const bytes of open()) {
    readBytes += Buffer.from(bytes.subarray(0, start.length - readBytes)).copy(start, readBytes)
    if (readBytes === start.length) break
  }
  if (readBytes === 0) throw new ArchiveError('This file is empty.')
  if (start.toString('latin1', 0, 2) === 'PK' || (start[0] === 0x1f && start[1] === 0x8b))
    throw new ArchiveError(
      `${NOT_AN_ARCHIVE} Archives are not compressed: use the .tar or .tar.age file as it was downloaded.`,
    )
  const isEncrypted = start.toString('latin1') === AGE_START
  if (!isEncrypted && passphrase)
    throw new ArchiveError('This archive is not encrypted. To restore it nevertheless, unset ARCHIVE_PASSPHRASE.')
  if (!isEncrypted) return open()
  if (!passphrase) throw new ArchiveError('This archive is encrypted. Give its passphrase in ARCHIVE_PASSPHRASE.')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const opened = await decrypter.decrypt(Readable.toWeb(Readable.from(open())) as never).catch((error: Error) => {
    throw new ArchiveError(
      /identity|passphrase/i.test(error.message) ? 'The passphrase is wrong.' : INCOMPLETE_OR_DAMAGED,
    )
  })
  return opened as unknown as AsyncIterable<Uint8Array>
}

function parseManifest(text: string): Manifest {
  const [header, ...entries] = text.trimEnd().split('\n')
  const manifest = { header: JSON.parse(header ?? ''), entries: entries.map((line) => JSON.parse(line)) } as Manifest
  if (manifest.header.entries !== manifest.entries.length) throw new ArchiveError(DAMAGED)
  return manifest
}

/** The whole body of an entry as text. @throws ArchiveError if it is larger than `maxBytes`. */
export async function readText(
  { sizeBytes, body }: Pick<TarEntry, 'sizeBytes' | 'body'>,
  maxBytes: number,
): Promise<string> {
  if (sizeBytes > maxBytes)
    throw new ArchiveError(`${NOT_AN_ARCHIVE} A part of it is larger than this site ever writes.`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) text += decoder.decode(bytes, { stream: true })
  return text + decoder.decode()
}

async function* checkedBody({ body }: TarEntry, { sha256 }: ManifestEntry): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  try {
    for await (const bytes of body) {
      hash.update(bytes)
      yield bytes
    }
  } catch (error) {
    // Errors of a body are thrown to the code that reads the body.
    throw toArchiveError(error)
  }
  if (hash.digest('hex') !== sha256) throw new ArchiveError(DAMAGED)
}

function toArchiveError(error: unknown): unknown {
  if (error instanceof ArchiveError) return error
  if (error instanceof TarError) return new ArchiveError(error.reason === 'truncated' ? INCOMPLETE : NOT_AN_ARCHIVE)
  if (error instanceof SyntaxError) return new ArchiveError(DAMAGED)
  // The age library throws when a chunk is truncated or modified.
  if (error instanceof Error && /decrypt|tag|stream|chunk|authenticat/i.test(error.message))
    return new ArchiveError(INCOMPLETE_OR_DAMAGED)
  return error
}
