import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { errorOf } from '../testing/client'
import { csvLines, setUpImports, uploadFile, uploadImport } from '../testing/imports'
import { withMethods } from '../testing/stores'

beforeAll(setUpImports)

const bytes = (...codes: number[]) => Uint8Array.from(codes)
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const utf16 = (text: string) => Buffer.concat([bytes(0xff, 0xfe), Buffer.from(text, 'utf16le')])
const FILE = csvLines('Name,Email,Patron Status', 'Zoë,zoe@fan.example,Active patron')

test.each<[string, BodyInit, RegExp]>([
  ['an empty file', '', /^This file is empty/],
  ['a header alone', 'Name,Email\n', /no rows below/],
  ['blank lines alone', '\n\n,\n', /no column names/],
  ['a zip', bytes(0x50, 0x4b, 3, 4, 0, 0, 0, 0), /^This is a zip file: unpack it/],
  ['an Excel file', bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1), /^This is an Excel file/],
  ['Latin-1', latin1('Name,Email\nZoë,zoe@fan.example\n'), /not in UTF-8/],
  ['NUL bytes', 'Name,Email\nZ\0e,zoe@fan.example\n', /not a text file/],
  ['a truncated character', Buffer.from(FILE).subarray(0, FILE.indexOf('ë') + 1), /not in UTF-8/],
  ['201 columns', `${'a,'.repeat(200)}b\n${'1,'.repeat(200)}2\n`, /more than 200 columns/],
  ['a million columns', `${'a,'.repeat(1_000_000)}b\n`, /^Row 1 is not complete: it is very long/],
  ['an open quotation mark', `Name,Email\n"Zoë,zoe@fan.example\n${'x'.repeat(200_000)}`, /^Row 2 is not complete/],
  ['a quotation mark inside a cell', 'Name,Email\n12" vinyl,a@b.example\n', /^Row 2 is not complete/],
  ['a very long row', `Name,Email\nx,${'y'.repeat(200_000)}\n`, /^Row 2 is not complete/],
])('rejects %s and stores nothing', async (_, content, message) => {
  expect(await errorOf(await uploadFile(content))).toEqual([400, 'bad_input', expect.stringMatching(message)])
  expect((await env.FILES.list({ prefix: 'imports/' })).objects).toEqual([])
  expect(await env.DB.prepare('SELECT count(*) AS n FROM imports').first('n')).toBe(0)
})

test('rejects 100,001 rows', async () => {
  const [status, , message] = await errorOf(await uploadFile(`Email\n${'a@b.example\n'.repeat(100_001)}`))
  expect([status, message]).toEqual([400, 'This file has more than 100,000 rows. Split it into several files.'])
})

test('rejects more than 20 MB', async () => {
  const rows = `${'x'.repeat(399)}\n`.repeat(53_000)
  const [status, code] = await errorOf(await uploadFile(`Email\n${rows}`))
  expect([status, code]).toEqual([413, 'too_large'])
})

test.each<[string, BodyInit]>([
  ['UTF-8', FILE],
  ['a BOM', `\ufeff${FILE}`],
  ['UTF-16', utf16(FILE)],
  ['semicolons', FILE.replaceAll(',', ';')],
  ['tabs', FILE.replaceAll(',', '\t')],
  ['CRLF', FILE.replaceAll('\n', '\r\n')],
  ['quotes', FILE.replace('Zoë', '"Zoë ""Z"", of\nTampa"')],
  ['no last line break', FILE.trimEnd()],
])('reads a file with %s', async (_, content) => {
  const { id, headers, rows, kind, mapping } = await uploadImport(content)
  expect([headers, rows, kind]).toEqual([['Name', 'Email', 'Patron Status'], 1, 'patreon-members'])
  expect(mapping).toEqual({ name: 0, email: 1, memberStatus: 2 })
  expect(await (await env.FILES.get(`imports/${id}.csv`))?.text()).toMatch(/^Name[,;\t]Email/)
})

test('stores no import when R2 rejects the file', async () => {
  const before = await env.DB.prepare('SELECT count(*) AS n FROM imports').first('n')
  const FILES = withMethods(env.FILES, { createMultipartUpload: () => Promise.reject(new Error('R2 is down.')) })
  expect((await uploadFile(FILE, { env: { FILES } })).status).toBe(500)
  expect(await env.DB.prepare('SELECT count(*) AS n FROM imports').first('n')).toBe(before)
})

test('does not map columns whose name occurs twice', async () => {
  const { kind, mapping } = await uploadImport(csvLines('Email,Email,Patron Status', 'a@b.example,c@d.example,Active'))
  expect([kind, mapping]).toEqual(['patreon-members', { memberStatus: 2 }])
})

test('uses the last segment of a path as file name', async () => {
  expect((await uploadImport(FILE, { name: 'C:\\fans\\..\\members.csv' })).fileName).toBe('members.csv')
})
