/** @jsxImportSource hono/jsx */

/** Heading of a part or column: `privacyInquiries` becomes 'Privacy inquiries', `email_key` 'Email key'. */
function humanize(name: string): string {
  const spaced = name.replace(/_/g, ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const STYLE = `body{font:17px/1.55 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:2rem 1.25rem;background:#f7f2e7;color:#16130d}
h1{font-size:2rem}h2{margin:3rem 0 .5rem;border-top:2px solid #7a5a12;padding-top:1rem;font-size:1.25rem}
div{overflow-x:auto}table{border-collapse:collapse}th,td{border-bottom:1px solid #ddd2bb;padding:.5rem 1.25rem .5rem 0;text-align:left;vertical-align:top}
@media (prefers-color-scheme: dark){body{background:#0b0a08;color:#f4efe4}h2{border-color:#d9b45b}th,td{border-color:#3a342a}}`

/** HTML page of a data export (`exportSubject`): one table per part, every value escaped. */
export function dataExportPage(data: Record<string, unknown>, host: string): string {
  const parts = Object.entries(data).filter((entry): entry is [string, Record<string, unknown>[]] =>
    Array.isArray(entry[1]),
  )
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>My data at {host}</title>
        <style>{STYLE}</style>
      </head>
      <body>
        <h1>My data at {host}</h1>
        <p>Everything that was stored about you on {formatValue(data.writtenAt)}.</p>
        {parts.map(([name, rows]) => (
          <section key={name}>
            <h2>{humanize(name)}</h2>
            {rows.length === 0 ? <p>Nothing.</p> : <Table rows={rows} />}
          </section>
        ))}
      </body>
    </html>
  )
  return `<!doctype html>${page}`
}

function Table({ rows }: { rows: Record<string, unknown>[] }) {
  const columns = Object.keys(rows[0] ?? {})
  return (
    <div>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {humanize(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={JSON.stringify(row)}>
              {columns.map((column) => (
                <td key={column}>{formatValue(row[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
