import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { openScreen } from './admin'
import { expectAccessible, expectAccessibleInLongRun, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openEmailTo } from './mailbox'
import { audioFile } from './media-files'
import { openPage, waitForHydration } from './page'
import { emailOf, newUsername, signUp } from './users'
import { submitVerse } from './verses'

const execFileAsync = promisify(execFile)
const TITLE = `Sixteen Bars ${Date.now()}`
const dateInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Sends a verse with the open form, after attempts with missing and wrong values. */
async function sendVerseByForm(page: Page, name: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Your verse' })
  await form.getByRole('button', { name: 'Send my verse' }).click()
  await expect(form.getByText('Your name is required.')).toBeVisible()
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Email').fill(emailOf(newUsername('rapper')))
  await form.getByLabel('Phone').fill('12')
  await form.getByLabel('Recording: choose a recording').setInputFiles(audioFile(4, 'verse.wav'))
  await expect(form.getByText('verse.wav')).toBeVisible()
  await form.getByRole('checkbox', { name: 'I accept these terms and the rules' }).check()
  await form.getByRole('button', { name: 'Send my verse' }).click()
  await expect(form.getByLabel('Phone')).toBeFocused()
  await expect(form.getByLabel('Name')).toHaveValue(name)
  await form.getByLabel('Phone').fill('(813) 555-0142')
  await form.getByRole('button', { name: 'Send my verse' }).click()
  await expect(page.getByText('Your verse is in')).toBeVisible()
}

/** Opens another step of the challenge that the dashboard shows. */
const openStep = (admin: Page, label: string) =>
  admin.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: label }).click()

/** Confirms a phase change from the page of the current step. */
async function changePhase(admin: Page, button: string, toastTitle: string): Promise<void> {
  await admin.getByRole('button', { name: button, exact: true }).click()
  await admin.getByRole('dialog').getByRole('button', { name: button, exact: true }).click()
  await expectToast(admin, toastTitle)
}

test('runs a challenge from announcement to a verifiable result', { tag: '@axe' }, async ({
  page: admin,
  newVisitor,
  expectConsoleError,
}) => {
  expectConsoleError(/400.*\/submissions$/)
  const visitor = await newVisitor({ viewport: { width: 390, height: 844 } })

  const challengeId = await test.step('announce', async () => {
    await openScreen(admin, 'challenge')
    // The result is shown only while no other challenge is open.
    await admin.getByRole('button', { name: 'Delete Gold Open Verse Challenge: Second Half' }).click()
    await expectToast(admin, 'Deleted', 'Gold Open Verse Challenge: Second Half is off the site.Undo')
    await admin.getByRole('link', { name: 'Add a challenge' }).click()
    const form = admin.getByRole('main')
    await form.getByLabel('Title').fill(TITLE)
    await form.getByLabel('Prize', { exact: true }).fill('A day in the studio')
    await form.getByLabel('Rules', { exact: true }).fill('Sixteen bars at the most.\n\nYour own words.')
    for (const [label, days] of [
      ['Verses from', 1],
      ['Verses until', 3],
      ['Finalists on', 4],
      ['Voting from', 5],
      ['Voting until', 4],
      ['Winner on', 9],
      ['Prize awarded on', 12],
    ] as const)
      await form.getByLabel(label).fill(dateInDays(days))
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByText('Voting can’t end before it begins.')).toBeVisible()
    await form.getByLabel('Voting until').fill(dateInDays(8))
    await expectAccessibleInLongRun(admin)
    await form.getByRole('button', { name: 'Save' }).click()
    await expectToast(admin, 'Saved', 'It is on the site.')
    await expect(admin.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
    await expect(admin).toHaveURL(/\/admin\/challenge\/challenge_[\w-]+$/)
    await openPage(visitor, '/challenge')
    await expect(visitor.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
    await expect(visitor.getByText(/^Submissions open on/)).toBeVisible()
    await expectAccessibleInLongRun(visitor)
    return new URL(admin.url()).pathname.split('/').at(-1) ?? ''
  })

  await test.step('submit and withdraw verses', async () => {
    await changePhase(admin, 'Open submissions now', 'Submissions are open')
    await openPage(visitor, '/#hall-of-fame')
    await visitor.getByRole('link', { name: 'Send your verse' }).click()
    await expect(visitor).toHaveURL('/challenge')
    await waitForHydration(visitor)
    await expectAccessible(visitor)
    await sendVerseByForm(visitor, 'Low Tide')
    const withdrawerEmail = emailOf(newUsername('rapper'))
    for (const [name, email] of [
      ['High Water', emailOf(newUsername('rapper'))],
      ['Second Thoughts', withdrawerEmail],
    ] as const) {
      // Another network for each submission, because a quota limits the submissions of a network.
      await visitor.context().setExtraHTTPHeaders({ 'cf-connecting-ip': `10.9.${randomInt(256)}.${randomInt(1, 255)}` })
      await submitVerse(visitor, challengeId, name, email)
    }
    const { frame } = await openEmailTo(visitor, withdrawerEmail, /Confirm your verse/)
    await frame.getByRole('link', { name: 'Confirm my verse' }).click()
    await expect(visitor).toHaveURL(/\/challenge\/confirm\?token=/)
    await expectAccessibleInLongRun(visitor)
    const emailedUrl = visitor.url()
    await visitor.getByRole('button', { name: 'Confirm my verse' }).click()
    await expect(visitor.getByRole('heading', { name: 'Your verse is in' })).toBeVisible()
    await visitor.goto(emailedUrl)
    await visitor.getByRole('link', { name: 'withdraw it' }).click()
    await expect(visitor).toHaveURL(/\/challenge\/withdraw\?token=/)
    await visitor.getByRole('button', { name: 'Withdraw my verse' }).click()
    await expect(visitor.getByRole('heading', { name: 'Your verse is withdrawn' })).toBeVisible()
  })

  await test.step('rate verses and choose finalists', async () => {
    await changePhase(admin, 'Close submissions', 'Submissions are closed')
    await expect(admin.getByText('Name at least two finalists, then voting can open.')).toBeVisible()
    await openPage(admin, '/admin')
    await admin.getByRole('link', { name: new RegExp(`^Name the finalists ?: ${TITLE}`) }).click()
    const verse = (name: string) => admin.getByRole('article', { name })
    await expect(verse('Low Tide')).toBeVisible()
    await admin.keyboard.press('f')
    await expect(verse('High Water')).toBeVisible()
    await admin.keyboard.press('f')
    await expect(verse('High Water').getByText('A finalist, as High Water.')).toBeVisible()

    await admin.keyboard.press('k')
    await expect(verse('Low Tide')).toBeVisible()
    await admin.keyboard.press(' ')
    await expect(admin.getByRole('slider', { name: 'Seek in Low Tide' })).toBeEnabled()
    await admin.keyboard.press('4')
    await expect(admin.getByRole('button', { name: '4 of 5' })).toHaveAttribute('aria-pressed', 'true')
    await expect(admin.getByText('1 of 2 rated by you')).toBeVisible()
    await admin.getByRole('checkbox', { name: 'On the shortlist' }).check()
    await admin.getByLabel('Note').fill('Strong ending.')
    await admin.getByRole('button', { name: 'Next verse' }).click()
    await expect(verse('High Water')).toBeVisible()
    await expectAccessible(admin)
    await admin.setViewportSize({ width: 390, height: 844 })
    await expectAccessibleInLongRun(admin)
    await expect(admin.getByRole('button', { name: 'Next verse' })).toBeVisible()
    await admin.setViewportSize({ width: 1440, height: 900 })

    await admin.getByRole('link', { name: 'Back to Challenge' }).click()
    await openStep(admin, 'Submissions')
    await expect(admin.getByRole('row', { name: 'Low Tide' })).toContainText(/Finalist.*4/)
    await expectAccessibleInLongRun(admin)
    await openStep(admin, 'Finalists')
    await admin.getByRole('link', { name: 'Compare side by side' }).click()
    await expect(admin).toHaveURL(/\/finalists$/)
    const pickedFinalists = admin.getByRole('region', { name: 'Picked' })
    await expect(pickedFinalists.getByRole('list', { name: 'Ratings by member' })).toHaveText('admin: 4')
    await expect(pickedFinalists.getByText('Strong ending.')).toBeVisible()
    await expectAccessibleInLongRun(admin)
    await admin.getByRole('link', { name: 'Change names and order' }).click()
    await admin.getByRole('button', { name: 'Edit Low Tide' }).click()
    await admin.getByRole('dialog').getByLabel('Stage name').fill('Lo Tide')
    await admin.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await admin.getByRole('button', { name: 'Move Lo Tide down' }).click()
    await expect(admin.getByRole('region', { name: 'Finalists' }).getByRole('listitem').first()).toContainText(
      'High Water',
    )
    await expectAccessibleInLongRun(admin)
  })

  const pseudonym = await test.step('vote', async () => {
    await changePhase(admin, 'Open voting', 'Voting is open')

    await openPage(visitor, '/challenge')
    await visitor.getByRole('button', { name: 'Play High Water' }).click()
    await expect(visitor.getByRole('button', { name: 'Pause High Water' })).toBeVisible()
    await visitor.getByRole('button', { name: 'Play Lo Tide' }).click()
    await expect(visitor.getByRole('button', { name: 'Play High Water' })).toBeVisible()
    await visitor.getByRole('button', { name: 'Vote for Lo Tide' }).click()
    await expectToast(visitor, 'Login required', 'Please sign up or login to vote')
    await expect(visitor.getByRole('dialog', { name: 'Sign up to make it count' })).toBeVisible()
    await expectAccessibleInLongRun(visitor)
    await visitor.keyboard.press('Escape')
    const name = await signUp(visitor, 'voter')
    await openPage(visitor, '/challenge')
    await expect(visitor.getByText(/Please confirm your email first/)).toBeVisible()
    const confirmation = await openEmailTo(visitor, emailOf(name), /[Cc]onfirm/)
    await confirmation.frame.getByRole('link', { name: /[Cc]onfirm/ }).click()
    await visitor.getByRole('button', { name: /^Confirm my / }).click()
    await expect(visitor.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()
    await openPage(visitor, '/challenge')
    await visitor.getByRole('button', { name: 'Vote for Lo Tide' }).focus()
    await visitor.keyboard.press('Enter')
    await expect(visitor.getByRole('dialog', { name: 'Vote for Lo Tide?' })).toBeVisible()
    await visitor.keyboard.press('Tab')
    await visitor.getByRole('dialog').getByRole('button', { name: 'Vote for Lo Tide' }).press('Enter')
    await expectToast(visitor, 'Vote submitted!', 'Your vote for Lo Tide counts.')
    const ballot = visitor.getByRole('region', { name: 'Your ballot' })
    await expect(ballot).toContainText('Lo Tide')
    await expect(visitor.getByRole('button', { name: /^Vote for/ })).toHaveCount(0)
    await expectAccessible(visitor)
    return (await ballot.locator('code').textContent()) ?? ''
  })

  await test.step('check ballots, seal and publish the result', async () => {
    await changePhase(admin, 'Close voting', 'Voting is closed')
    await openStep(admin, 'Check ballots')
    // Ballots of accounts created today are flagged.
    await admin.getByRole('button', { name: /^Count ballot/ }).click()
    await admin.getByLabel('Reason').fill('Signed up to vote, as fans do.')
    await admin.getByRole('dialog').getByRole('button', { name: 'Count it' }).click()
    await expectToast(admin, 'Ballot counted')
    await expectAccessible(admin)
    await changePhase(admin, 'Seal the result', 'Voting results are sealed')
    await openPage(visitor, '/challenge')
    const digest = await visitor
      .getByRole('region', { name: 'Voting results are sealed' })
      .locator('code')
      .textContent()
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    await expect(visitor.getByRole('region', { name: 'The result' })).toHaveCount(0)
    await changePhase(admin, 'Publish the result', 'The result is public')
  })

  await test.step('recount the tally', async () => {
    await openPage(visitor, '/challenge')
    await expect(visitor.getByRole('region', { name: 'The result' })).toContainText(/Winner.*Lo Tide/)
    await expect(visitor.getByText('1 vote for 2 finalists.')).toBeVisible()
    await expectAccessibleInLongRun(visitor)
    const download = async (link: string) => {
      const [file] = await Promise.all([
        visitor.waitForEvent('download'),
        visitor.getByRole('link', { name: link }).click(),
      ])
      return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
    }
    const folder = mkdtempSync(join(tmpdir(), 'recount-'))
    const csv = await download('The tally (CSV)')
    const script = await download('recount.mjs')
    for (const { name: file, bytes } of [csv, script]) writeFileSync(join(folder, file), bytes)
    expect(csv.bytes.toString()).toContain(`"Lo Tide","${pseudonym}"`)
    const recountCommand = (await visitor.getByText(/^node recount\.mjs/).textContent()) ?? ''
    const { stdout } = await execFileAsync(process.execPath, recountCommand.split(' ').slice(1), { cwd: folder })
    expect(stdout).toContain('Lo Tide')
    expect(stdout).toContain('The file matches the published hash.')
  })
})
