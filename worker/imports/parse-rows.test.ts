import { expect, test } from 'vitest'
import { detectKind, type ImportKind, mapColumns } from '../contract/imports'
import { createRowReader } from './parse-rows'

const NOW = Date.parse('2026-07-01T16:00:00Z')
const PATREON_HEADERS =
  'Name,Email,Discord,Patron Status,Follows You,Free Member,Free Trial,Lifetime Amount,Pledge Amount,Charge Frequency,Tier,Addressee,Street,City,State,Zip,Country,Phone,Patronage Since Date,Last Charge Date,Last Charge Status,Additional Details,User ID,Last Updated,Currency,Max Posts,Access Expiration,Next Charge Date,Full country name,Subscription Source'
const SHOPIFY_CUSTOMERS_HEADERS =
  'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address City,Default Address Country Code,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags'
const SHOPIFY_ORDERS_HEADERS =
  'Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem compare at price,Lineitem sku,Billing Name,Billing Country,Id'
const BANDCAMP_SALES_HEADERS =
  'date,paid to,item type,item name,artist,currency,item price,quantity,discount code,sub total,additional fan contribution,shipping,transaction fee,fee type,item total,amount you received,bandcamp transaction id,paypal transaction id,net amount,package,buyer name,buyer email,country'

test.each<[ImportKind, string]>([
  ['patreon-members', PATREON_HEADERS],
  ['shopify-customers', SHOPIFY_CUSTOMERS_HEADERS],
  ['shopify-orders', SHOPIFY_ORDERS_HEADERS],
  ['bandcamp-sales', BANDCAMP_SALES_HEADERS],
  ['bandcamp-list', 'email,fullname,date added,country,postal code,num purchases'],
  ['mailchimp-audience', 'Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,LAST_CHANGED,LEID,EUID,TAGS'],
  ['mailchimp-audience', 'Email Address,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,LEID'],
])('recognizes %s', (kind, headers) => {
  expect(detectKind(headers.split(','))).toBe(kind)
})
test('recognizes no kind in other headers', () => expect(detectKind(['Name', 'Email'])).toBe(null))

/** Reads the rows of a CSV file without quoted cells; its kind is detected unless given. */
function readRows(
  text: string,
  { kind, consentAttested = true }: { kind?: ImportKind; consentAttested?: boolean } = {},
) {
  const [headers = [], ...rows] = text.split('\n').map((line) => line.split(','))
  const fileKind = kind ?? (detectKind(headers) as ImportKind)
  const mapping = mapColumns(fileKind, headers)
  const settings = { kind: fileKind, mapping, columnCount: headers.length, consentAttested, uploadedAt: NOW }
  const reader = createRowReader(settings)
  return rows.map((cells, i) => reader.read(i + 2, cells))
}

test.each([
  ['yes', 'no_consent'],
  ['no', 'not_accepted'],
])('a Shopify customer with email marketing %s is a contact', (accepts, reason) => {
  const [row] = readRows(`Email,Accepts Email Marketing\na@fan.example,${accepts}`)
  expect(row).toMatchObject({ action: 'contact', reason })
})

test.each([
  ['2021-04-12 10:00:00,2021-04-12 11:00:00', 'subscribe', null],
  ['2021-04-12 10:00:00,', 'contact', 'not_confirmed'],
  [',2021-04-12 11:00:00', 'contact', 'no_consent'],
  ['soon,2021-04-12 11:00:00', 'contact', 'bad_consent_date'],
  ['2031-04-12 10:00:00,2031-04-12 11:00:00', 'contact', 'bad_consent_date'],
])('Mailchimp consent %s means %s', (times, action, reason) => {
  const [row] = readRows(`Email Address,OPTIN_TIME,CONFIRM_TIME,LEID\na@fan.example,${times},1`)
  expect(row).toMatchObject({ action, reason })
})

test('reads the join date of the Bandcamp list', () => {
  const file = 'email,fullname,date added,num purchases\na@fan.example,Ada,Apr 12 2021,3'
  expect(readRows(file)).toMatchObject([
    { action: 'subscribe', name: 'Ada', purchases: 3, consentAt: Date.parse('2021-04-12') },
  ])
  expect(readRows(file, { consentAttested: false })).toMatchObject([{ action: 'contact', reason: 'not_attested' }])
})

test.each([
  ['UNSUB_TIME', 'unsubscribed'],
  ['CLEAN_TIME', 'suppressed'],
])('a Mailchimp file with %s suppresses its addresses', (column, suppression) => {
  expect(readRows(`Email Address,${column},LEID\na@fan.example,,1`)).toMatchObject([
    { action: 'suppress', suppression },
  ])
})

test('skips Bandcamp rows that are not valid sales', () => {
  const file = [
    'date,item type,item name,currency,quantity,item total,bandcamp transaction id,buyer email',
    '1/3/26 10:12am,album,Gold,USD,1,12.00,77,a@fan.example',
    '1/3/26 10:12am,payout,,USD,,-11.00,78,',
    '1/3/26 10:12am,album,Gold,USD,1,-12.00,79,a@fan.example',
    '1/3/26 10:12am,album,Gold,USD,1,12.00,77,a@fan.example',
    '13/3/26 10:12am,album,Gold,USD,1,12.00,80,not an address',
    '1/3/26 1:12pm,track,Dust,EUR,0,1.00,81,',
    '1/3/26 1:12pm,track,Dust,€,1,1.00,82,',
    '1/3/26 1:12pm,track,Dust,EUR,1,a lot,83,',
    '1/3/26 1:12pm,track,,EUR,1,1,84,',
    '1/3/26 1:12pm,track,Dust,EUR,1,1,,',
  ].join('\n')
  expect(readRows(file).map((row) => (row?.action === 'skip' ? row.reason : row?.action))).toEqual([
    'sale',
    'not_a_sale',
    'not_a_sale',
    'duplicate',
    'bad_date',
    'bad_quantity',
    'bad_currency',
    'bad_amount',
    'no_item',
    'no_order',
  ])
})

test('skips a line above the maximum amount', () => {
  const line = (quantity: string) => `#1,paid,2021-04-12,USD,${quantity},Shirt,100000`
  const file = `Name,Financial Status,Paid at,Currency,Lineitem quantity,Lineitem name,Lineitem price\n`
  expect(readRows(file + line('1000'))).toMatchObject([{ action: 'sale', amountCents: 100_000_000_00 }])
  expect(readRows(file + line('1001'))).toMatchObject([{ action: 'skip', reason: 'bad_amount', value: '100000' }])
})
