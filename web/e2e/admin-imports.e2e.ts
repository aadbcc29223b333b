import { openScreen } from './admin'
import { expectAccessible, expectAccessibleInLongRun } from './expectations'
import { expect, test } from './fixtures'

const MEMBERS_CSV = [
  'Fan,Mail,Level,Patron Status',
  'Zoë Ortega,zoe.import@fan.example,Gold,Active patron',
  'Bo Tran,bo.import@fan.example,Silver,Former patron',
  'Cy,not an address,Silver,Former patron',
].join('\n')

test('checks and imports a CSV file, then undoes the import', { tag: ['@phone', '@axe'] }, async ({ page }) => {
  await openScreen(page, 'imports')
  await page
    .getByLabel('Choose a CSV file')
    .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(MEMBERS_CSV) })
  await expect(page.getByRole('heading', { name: 'members.csv' })).toBeVisible()

  await page.getByLabel('What this file is').selectOption('Patreon: members')
  await expect(page.getByRole('alert')).toHaveText('Still missing: Email.')
  await page.getByLabel('Email', { exact: true }).selectOption('Mail')
  await page.getByLabel('Name', { exact: true }).selectOption('Fan')
  await page.getByLabel('Tier', { exact: true }).selectOption('Level')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check the file' }).click()

  const report = page.getByRole('region', { name: 'What an import would do' })
  await expect(report.getByRole('definition').filter({ hasText: 'We never email them.' })).toBeVisible()
  const rejectedRows = page.getByRole('region', { name: 'Rows that can’t be imported in full' })
  await expect(rejectedRows).toContainText('This is not an email address.')
  await page.getByRole('button', { name: 'Import 2 rows' }).click()

  await expect(page.getByRole('region', { name: 'What was imported' })).toBeVisible()
  const rows = page.getByRole('region', { name: 'Rows not imported in full' })
  await expect(rows).toContainText('the file does not say when')
  await expectAccessibleInLongRun(page)
  await page.getByRole('link', { name: 'Back to Imports' }).click()
  await page.getByRole('link', { name: 'Contacts' }).click()
  await page.getByLabel('Search by name or full email').fill('Ortega')
  await expect(page.getByText('Zoë Ortega')).toBeVisible()

  await page.goBack()
  await page.getByRole('link', { name: 'members.csv' }).first().click()
  await page.getByRole('button', { name: 'Undo this import' }).click()
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await expect(page.getByRole('region', { name: 'What was undone' })).toBeVisible()
  const remainingRows = page.getByRole('region', { name: 'Rows left in place' })
  await expect(remainingRows).toContainText('Nothing from this import remains.')
})
