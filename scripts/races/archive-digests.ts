import { CHANGING_SECTIONS } from '../../worker/archive/contents'
import { readArchive } from '../../worker/archive/verify'

/** The SHA-256 of each file in an archive, by path, without the sections that differ between archives of a site. */
export async function comparableDigests(archive: Uint8Array): Promise<Record<string, string>> {
  const source = {
    async *open() {
      yield archive
    },
  }
  const digestByPath: Record<string, string> = {}
  for await (const { entry, body } of readArchive(source)) {
    for await (const _ of body);
    if (!CHANGING_SECTIONS.includes(entry.path.split('/')[1] ?? '')) digestByPath[entry.path] = entry.sha256
  }
  return digestByPath
}
