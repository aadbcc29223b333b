import { type FormEvent, useState } from 'react'
import { type AddressErasure, type Inquiry, MAX_INQUIRY_LENGTH } from '../../worker/contract/privacy'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { TextAreaField } from '../ui/Field'
import { toast } from '../ui/toast'
import { AddressData } from './AddressData'
import { ErasureReceipt } from './ErasureReceipt'
import { useAnswerInquiry } from './privacy-admin.queries'

/** One inquiry: read, and answered once. What is typed stays until the answer has gone out. */
export function AnswerInquiryDialog({ inquiry, onClose }: { inquiry: Inquiry; onClose: () => void }) {
  const send = useAnswerInquiry()
  const [problem, setProblem] = useState<string>()
  const [receipt, setReceipt] = useState<AddressErasure | null>(null)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const answer = String(new FormData(event.currentTarget).get('answer')).trim()
    setProblem(answer === '' ? 'The answer must not be empty.' : undefined)
    if (answer === '' || send.isPending) return
    send.mutate(
      { id: inquiry.id, answer },
      {
        onSuccess: () => {
          toast({ title: 'Answer sent', text: `It is on its way to ${inquiry.email}.` })
          onClose()
        },
        onError: ({ message }) => toast({ title: 'Not sent', text: message, tone: 'destructive' }),
      },
    )
  }

  if (receipt)
    return (
      <Dialog title="Privacy inquiry" onClose={onClose}>
        <div className="p-6 md:p-9">
          <ErasureReceipt receipt={receipt} onClose={onClose} />
        </div>
      </Dialog>
    )
  return (
    <Dialog title="Privacy inquiry" onClose={onClose}>
      <div className="p-6 md:p-9">
        <h2 className="mr-10 font-display text-xl">
          {inquiry.email === '' ? 'An erased address' : `From ${inquiry.username ?? inquiry.email}`}
        </h2>
        {inquiry.email !== '' && (
          <p className="mt-2 text-sm text-muted">
            {inquiry.confirmedAt ? 'Confirmed from that mailbox.' : 'Nobody has confirmed it from that mailbox.'}
          </p>
        )}
        <p className="mt-4 max-w-prose break-words whitespace-pre-line">{inquiry.message}</p>
        {inquiry.answer === null ? (
          <form noValidate method="post" onSubmit={submit} className="mt-8 grid gap-6">
            <TextAreaField
              label="Your answer"
              name="answer"
              required
              rows={6}
              maxLength={MAX_INQUIRY_LENGTH}
              hint="It goes out by mail, once, and cannot be taken back."
              error={problem}
            />
            <div className="flex flex-wrap gap-3">
              <Button type="submit" variant="foil" aria-disabled={send.isPending}>
                {send.isPending ? 'Sending' : 'Send the answer'}
              </Button>
              <Button onClick={onClose}>Cancel</Button>
            </div>
          </form>
        ) : (
          <div className="mt-8 border-l-4 border-gold pl-6">
            <p className="font-label text-muted">Our answer</p>
            <p className="mt-2 max-w-prose break-words whitespace-pre-line">{inquiry.answer}</p>
          </div>
        )}
        {inquiry.email !== '' && <AddressData inquiry={inquiry} onErased={setReceipt} />}
      </div>
    </Dialog>
  )
}
