import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The part of a workflow before its steps, and its steps that run a command. */
function readWorkflow(name: string) {
  const [job = '', ...steps] = readFileSync(`.github/workflows/${name}.yml`, 'utf8').split(/^ {6}- /m)
  return { job, commands: steps.filter((step) => step.startsWith('run: ')) }
}

test.each(['preview', 'deploy'])('only deploy steps of the workflow %s get the token', (name) => {
  const { job, commands } = readWorkflow(name)
  expect(job).not.toContain('secrets.')
  const stepsWithToken = commands.filter((step) => step.includes('secrets.'))
  expect(stepsWithToken.length).toBeGreaterThan(0)
  for (const step of stepsWithToken) expect(step).toMatch(/^run: npm run (deploy|site:init)\b/)
  // The first npm command installs packages (scripts/bootstrap.mjs), whose install scripts must not see the token.
  expect(commands.findIndex((step) => /^run: npm (test|run build)$/m.test(step))).toBeLessThan(
    commands.indexOf(stepsWithToken[0] ?? ''),
  )
  expect(commands.some((step) => /^run: npm (test|run build)$/m.test(step))).toBe(true)
})

test('a preview that cannot be set up fails', () => {
  const { commands } = readWorkflow('preview')
  expect(commands.at(-1)).toContain('--skip-if-set-up')
  expect(commands.join('')).not.toContain('continue-on-error')
})
