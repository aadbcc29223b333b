import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Card } from '../auth/Card'
import { buttonClass } from '../ui/Button'
import { toast } from '../ui/toast'
import { BALLOTS_FILE, saveAs } from './exports.queries'

/** Starts the download of the ballots by itself, once (specification section 2). */
export function DownloadCsvPage() {
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    saveAs(BALLOTS_FILE)
    toast({ title: 'Download Started', text: 'The file is on its way to your downloads.' })
  }, [])
  return (
    <Card title="Download CSV">
      <p>Your download starts by itself. If it does not, take the file here.</p>
      <a href={BALLOTS_FILE} download className={buttonClass('foil', 'mt-8 w-full')}>
        Download CSV
      </a>
      <Link to="/csv-download" className={buttonClass('outline', 'mt-4 w-full')}>
        Email the link instead
      </Link>
    </Card>
  )
}
