import { type FormEvent, useState } from 'react'
import { POST_LIMITS } from '../../worker/contract/community'
import { errorMessage } from '../api/call'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { TextField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useReportPost } from './community.queries'

const TITLE = 'Report this post?'

/** Asks the moderators to look at a post, with why where somebody says it. What was written stays when it fails. */
export function ReportDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const report = useReportPost(id)
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (report.isPending) return
    setProblem(undefined)
    report.mutate(String(new FormData(event.currentTarget).get('reason')), {
      onSuccess: () => {
        toast({ title: 'Reported', text: 'Thank you. Somebody will look at it.' })
        onClose()
      },
      onError: (error) => setProblem(errorMessage(error)),
    })
  }
  return (
    <Dialog title={TITLE} onClose={onClose}>
      <form noValidate method="post" onSubmit={submit} className="grid gap-6 p-6 md:p-9">
        <div>
          <h2 className="mr-10 font-display text-xl">{TITLE}</h2>
          <p className="mt-4 max-w-prose text-muted">
            Somebody of the artist’s team looks at it. The author does not learn who reported it.
          </p>
        </div>
        <TextField label="What is wrong with it?" name="reason" maxLength={POST_LIMITS.reason} />
        {problem && (
          <p role="alert" className="text-sunset">
            {problem}
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="foil" aria-disabled={report.isPending}>
            {report.isPending ? 'One moment' : 'Report'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
