import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { parseSync, Visitor } from 'rolldown/utils'
import { expect, test } from 'vitest'

// These terms are outdated; docs/glossary.md has the standard ones.
const BANNED_WORDS = /^(kept|desk|whoever|letters|told|drawn|linger|patience|rush|crowd|parcels?)$/i
const BANNED_NAMES = /^(Refused|lookAgain|turnsAt)$/
/** A binding, and the Durable Object class that a migration renames. */
const ALLOWED_NAMES = new Set(['RUSH', 'VoteRush'])
const withoutDeadLetters = (text: string) => text.replace(/dead.?letters?/gi, '')
/** Whether a name is a field of the challenge's API. */
const isWireField = (file: string, name: string) => name === 'kept' && file.includes('challenge')
const TEST_CALLS = new Set(['test', 'it', 'describe'])

const listFiles = async (pattern: string) => {
  const paths: string[] = []
  for await (const file of glob(pattern)) paths.push(file)
  return paths.filter((file) => !/node_modules|scripts\/demo\/media|terms\.test/.test(file)).sort()
}
const wordsOf = (name: string) => name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).filter(Boolean)
const bannedWords = (text: string) => wordsOf(withoutDeadLetters(text)).filter((word) => BANNED_WORDS.test(word))

type Callee = { type: string; name?: string; object?: unknown; callee?: unknown }
type Call = { callee: Callee; arguments: { type: string; value?: unknown }[] }

/** The title of a call of `test`, `it` or `describe`, also through `.each(…)` and the like; '' for other calls. */
function titleOf(call: Call): string {
  let { callee } = call
  while (callee.type !== 'Identifier') {
    const next = callee.object ?? callee.callee
    if (!next) return ''
    callee = next as typeof callee
  }
  const [title] = call.arguments
  return TEST_CALLS.has(callee.name ?? '') && typeof title?.value === 'string' ? title.value : ''
}

const LOG_CALLS = new Set(['logEvent', 'logError'])

/** The label of a log entry: the first argument of `logEvent` and `logError`. */
function logLabelOf({ callee, arguments: [label] }: Call): string {
  return callee.type === 'Identifier' && LOG_CALLS.has(callee.name ?? '') && typeof label?.value === 'string'
    ? label.value
    : ''
}

/** `file: word` for each banned word in a comment, name, log label or test title of a TypeScript file. */
function bannedInCode(file: string, code: string): string[] {
  const { program, comments, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found = comments.flatMap(({ value }) => bannedWords(value))
  const checkName = (identifier: string) => {
    if (ALLOWED_NAMES.has(identifier) || isWireField(file, identifier)) return
    if (BANNED_NAMES.test(identifier) || bannedWords(identifier).length > 0) found.push(identifier)
  }
  new Visitor({
    Identifier: (node) => checkName(node.name),
    JSXIdentifier: (node) => checkName(node.name),
    CallExpression: (node) =>
      void found.push(...bannedWords(titleOf(node as never)), ...bannedWords(logLabelOf(node as never))),
  }).visit(program)
  return found.map((word) => `${file}: ${word}`)
}

test('finds banned words in comments, names, log labels and titles', () => {
  const code =
    "// kept\nconst toldAt = 1\ntest('at the desk', () => {})\nlogError('rush', e)\nexport const text = 'the desk'"
  expect(bannedInCode('x.ts', code)).toEqual(['x.ts: kept', 'x.ts: toldAt', 'x.ts: desk', 'x.ts: rush'])
})

test('code uses standard terms', async () => {
  const sources = await listFiles('{web,worker,scripts,bench}/**/*.{ts,tsx,mjs}')
  expect(sources.length).toBeGreaterThan(500)
  const found = sources.flatMap((file) => [
    ...bannedWords(file).map((word) => `${file}: ${word} (file name)`),
    ...bannedInCode(file, readFileSync(file, 'utf8')),
  ])
  expect([...new Set(found)]).toEqual([])
})

/**
 * `file: text` for each comment over two lines that is not a docstring, each line of a comment over 120 columns, and
 * each test title over ten words.
 */
function longTexts(file: string, code: string): string[] {
  const { program, comments } = parseSync(file, code)
  const blocks = comments.flatMap(({ type, value }) => (type === 'Block' && !value.startsWith('*') ? [value] : []))
  const found = [
    ...(code.match(/(^[ \t]*\/\/.*\n){3,}/gm) ?? []),
    ...blocks.filter((text) => text.split('\n').length > 2),
    ...(code.match(/^[ \t]*(\/\/|\/?\*).*$/gm) ?? []).filter((line) => line.length > 120),
  ]
  new Visitor({
    CallExpression: (node) => {
      const title = titleOf(node as never)
      if (title.split(' ').length > 10) found.push(title)
    },
  }).visit(program)
  return found.map((text) => `${file}: ${text}`)
}

test('comments and test titles are short', async () => {
  const code = "// a\n// b\nf()\n// a\n// b\n// c\ntest('one two three four five six seven eight nine ten eleven', f)\n"
  expect(longTexts('x.ts', `${code}/** ${'a '.repeat(58)}*/`)).toHaveLength(3)
  const sources = await listFiles('{web,worker,scripts,bench}/**/*.{ts,tsx,mjs}')
  expect(sources.flatMap((file) => longTexts(file, readFileSync(file, 'utf8')))).toEqual([])
})

/** Visible texts say email (docs/copy.md), no one and someone instead. */
const BANNED_IN_COPY = /\b(mails?(?!\.)|nobody|somebody)\b/i

/** `file: text` for each visible sentence of a TypeScript file with one of these words. */
function bannedInCopy(file: string, code: string): string[] {
  const found: string[] = []
  const check = (text: string) =>
    text.trim().includes(' ') && BANNED_IN_COPY.test(text) && found.push(`${file}: ${text.trim()}`)
  new Visitor({
    JSXText: (node) => void check(node.value),
    Literal: (node) => void (typeof node.value === 'string' && check(node.value)),
    TemplateElement: (node) => void check(node.value.raw),
  }).visit(parseSync(file, code).program)
  return found
}

test('visible sentences say email, someone and no one', async () => {
  expect(bannedInCopy('x.tsx', "const a = ['mail', 'Send the mail again', 'Send an email']")).toEqual([
    'x.tsx: Send the mail again',
  ])
  const sources = await listFiles('{web,worker}/**/*.{ts,tsx}')
  const shown = sources.filter(
    (file) => !/\/(testing|e2e)\/|test\.tsx?$|(username|common-passwords|registry)\.ts/.test(file),
  )
  expect(shown.flatMap((file) => bannedInCopy(file, readFileSync(file, 'utf8')))).toEqual([])
})

/** Outdated terms that labels must not use; docs/glossary.md has the standard ones. */
const BANNED_IN_LABELS = /\b(letters?|mails?|parcels?|desk|crowd)\b/i

/** `file: text` for each such word in a `label`, `title` or `aria-label` of a TypeScript file. */
function bannedInLabels(file: string, code: string): string[] {
  const found: string[] = []
  const check = (name: unknown, value: unknown) =>
    /^(label|title|aria-label)$/.test(String(name)) &&
    typeof value === 'string' &&
    BANNED_IN_LABELS.test(value) &&
    found.push(`${file}: ${value}`)
  new Visitor({
    Property: ({ key, value }) => void check((key as { name?: string }).name, (value as { value?: unknown }).value),
    JSXAttribute: ({ name, value }) => void check(name.name, (value as { value?: unknown } | null)?.value),
  }).visit(parseSync(file, code).program)
  return found
}

test('labels use standard terms', async () => {
  const code = "const tab = { label: 'Letter', text: 'A letter' }\nconst a = <p aria-label='Parcel' id='desk' />"
  expect(bannedInLabels('x.tsx', code)).toEqual(['x.tsx: Letter', 'x.tsx: Parcel'])
  const sources = (await listFiles('{web,worker}/**/*.{ts,tsx}')).filter(
    (file) => !/\/(testing|e2e)\/|test\.tsx?$/.test(file),
  )
  expect(sources.flatMap((file) => bannedInLabels(file, readFileSync(file, 'utf8')))).toEqual([])
})

test('docs and styles use standard terms', async () => {
  const docs = await listFiles('{*.md,docs/**/*.md,*.toml,.github/**/*.yml}')
  const styles = await listFiles('web/styles/*.css')
  const texts = [
    ...docs
      .filter((file) => file !== 'docs/privacy.md')
      .map((file) => [file, readFileSync(file, 'utf8').replace(/RUSH|VoteRush/g, '')]),
    ...styles.map((file) => [file, (readFileSync(file, 'utf8').match(/\/\*[\s\S]*?\*\//g) ?? []).join('\n')]),
  ]
  const found = texts.flatMap(([file, text]) => bannedWords(text ?? '').map((word) => `${file}: ${word}`))
  expect([...new Set(found)]).toEqual([])
})
