import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { MAX_INQUIRY_LENGTH } from '../../worker/contract/draft-rules'
import type { AddressErasure, InquiryEvent, InquiryRecord } from '../../worker/contract/privacy'
import { RETENTION } from '../../worker/contract/retention'
import { useAdminUserId } from '../admin/admin-session'
import { AutosaveHint, RestoredDraftNotice } from '../admin/FormDraftNotices'
import { formDraftKey, removeFormDraft } from '../admin/form-drafts'
import { Panel } from '../admin/Panel'
import { RecordHeader } from '../admin/RecordHeader'
import { ScreenLink } from '../admin/ScreenLink'
import { useScreenParam } from '../admin/screen-location'
import { Timeline } from '../admin/Timeline'
import { type Autosave, useAutosave } from '../admin/useFormDraft'
import { Button } from '../ui/Button'
import { CheckField, TextAreaField } from '../ui/Field'
import { focusOnMount } from '../ui/focus'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { AddressDataPanel, ErasureReceipt } from './AddressDataPanel'
import { DueDate, formatUtcDay, senderOf } from './inquiry-labels'
import { addressData, inquiryById, useAnswerInquiry, useSendAddressData } from './privacy-admin.queries'
import { suggestAnswer } from './suggested-answer'

/** /admin/privacy/$id: question, answer, history, and what is stored about the address. */
export function InquiryPage() {
  const id = useScreenParam('id')
  return <Inquiry key={id} id={id} />
}

function Inquiry({ id }: { id: string }) {
  const query = useQuery(inquiryById(id))
  const [receipt, setReceipt] = useState<AddressErasure | null>(null)
  const autosave = useAutosave<AnswerDraft>(draftId(id), 'the answer to a privacy inquiry')
  const adminId = useAdminUserId()
  const { data: inquiry } = query
  function showReceipt(erasure: AddressErasure): void {
    autosave.clear()
    for (const other of inquiry?.others ?? []) removeFormDraft(formDraftKey(adminId, draftId(other.id)))
    setReceipt(erasure)
  }
  return (
    <>
      <RecordHeader back="privacy" title={inquiry ? titleOf(inquiry) : 'Privacy inquiry'} />
      {receipt ? (
        <ErasureReceipt receipt={receipt} />
      ) : (
        <QueryBoundary
          query={query}
          loading={{ className: 'h-96', label: 'Loading the inquiry' }}
          error={`The inquiry could not be loaded. Inquiries are deleted ${RETENTION.supportMonths / 12} years after the answer.`}
        >
          {(loaded) => (
            <div className="grid gap-12 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
              <div className="grid content-start gap-12">
                <QuestionAndAnswer inquiry={loaded} autosave={autosave} />
                {loaded.email !== '' && <AddressDataPanel inquiry={loaded} onErased={showReceipt} />}
              </div>
              <div className="grid content-start gap-12">
                <InquiryDetails inquiry={loaded} />
                <History events={loaded.events} />
                {loaded.others.length > 0 && <OtherInquiries others={loaded.others} />}
              </div>
            </div>
          )}
        </QueryBoundary>
      )}
    </>
  )
}

type AnswerDraft = { answer: string }
const draftId = (id: string) => `inquiries.${id}`

const titleOf = (inquiry: InquiryRecord) => (inquiry.email === '' ? 'An erased address' : `From ${senderOf(inquiry)}`)

function QuestionAndAnswer({ inquiry, autosave }: { inquiry: InquiryRecord; autosave: Autosave<AnswerDraft> }) {
  const [hasSubmitted, setHasSubmitted] = useState(false)
  return (
    <section aria-label="Question and answer" className="border border-rule bg-sleeve p-5 md:p-8">
      <p className="max-w-prose break-words whitespace-pre-line">{inquiry.message}</p>
      {inquiry.answer === null ? (
        <AnswerForm inquiry={inquiry} autosave={autosave} onSend={() => setHasSubmitted(true)} />
      ) : (
        <div
          // The submit button had the focus and is gone.
          ref={hasSubmitted ? focusOnMount : undefined}
          tabIndex={-1}
          className="mt-8 border-l-4 border-gold pl-6 outline-none"
        >
          <p className="font-label text-muted">Our answer</p>
          <p className="mt-2 max-w-prose break-words whitespace-pre-line">{inquiry.answer}</p>
        </div>
      )}
    </section>
  )
}

type AnswerProps = { inquiry: InquiryRecord; autosave: Autosave<AnswerDraft>; onSend: () => void }

function AnswerForm({ inquiry, autosave, onSend }: AnswerProps) {
  const { id, kind, email, confirmedAt, username } = inquiry
  const { data: stored } = useQuery({ ...addressData(id), enabled: email !== '' })
  const [typed, setTyped] = useState(autosave.restored?.values.answer ?? null)
  const suggestion = stored ? suggestAnswer(inquiry, stored.found) : ''
  const emailFile = useSendAddressData()
  const isFileSent = useRef(false)
  const send = useAnswerInquiry()
  const [error, setError] = useState<string>()
  const isPending = emailFile.isPending || send.isPending
  async function sendAnswer(answer: string, withFile: boolean): Promise<void> {
    // Sending again after an error does not email the file twice.
    if (withFile && !isFileSent.current) await emailFile.mutateAsync(id)
    isFileSent.current ||= withFile
    await send.mutateAsync({ id, answer })
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const answer = String(data.get('answer')).trim()
    setError(answer === '' ? 'The answer is required.' : undefined)
    if (answer === '' || isPending) return
    onSend()
    // Uses `mutateAsync`, because `mutate` drops its callbacks when the refetch unmounts the form.
    sendAnswer(answer, data.has('file')).then(() => {
      autosave.clear()
      toast({ title: 'Answer sent', text: `It is on its way to ${email}.` })
    }, toastError('Not sent'))
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="mt-8 grid gap-6">
      <RestoredDraftNotice
        autosave={autosave}
        onDiscard={() => {
          autosave.clear()
          setTyped(null)
        }}
      />
      <TextAreaField
        ref={focusOnMount}
        label="Your answer"
        name="answer"
        required
        rows={8}
        maxLength={MAX_INQUIRY_LENGTH}
        value={typed ?? suggestion}
        onChange={(event) => {
          const answer = event.currentTarget.value
          setTyped(answer)
          autosave.save(() => (answer === suggestion ? null : { base: { answer: suggestion }, values: { answer } }))
        }}
        hint="It is sent once by email and cannot be recalled."
        error={error}
      />
      {kind === 'access' && confirmedAt !== null && username === null && (
        <CheckField name="file" label="Also email a file with all of it" defaultChecked />
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button type="submit" variant="primary" aria-disabled={isPending}>
          {isPending ? 'Sending' : 'Send the answer'}
        </Button>
        <AutosaveHint autosave={autosave} />
      </div>
    </form>
  )
}

function InquiryDetails({ inquiry }: { inquiry: InquiryRecord }) {
  const details: readonly [string, ReactNode][] = [
    ['Due date', <DueDate key="due" inquiry={inquiry} />],
    ['Topic', inquiry.kind],
    ['Sender', senderOf(inquiry)],
    [
      'Mailbox',
      inquiry.email !== '' &&
        (inquiry.confirmedAt ? 'Confirmed from that mailbox.' : 'Not confirmed from that mailbox yet.'),
    ],
  ]
  return (
    <Panel title="Details">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-3 text-sm">
        {details
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
      </dl>
    </Panel>
  )
}

/** A sentence for each kind; `by` is the admin's name. */
const EVENT_TEXTS: Readonly<Record<InquiryEvent['kind'], (by: string) => string>> = {
  received: () => 'We received it and emailed the due date',
  confirmed: () => 'The owner of the mailbox confirmed it',
  reminded: () => 'We reminded the team',
  read: (by) => `${by} downloaded what is stored about the address`,
  emailed: (by) => `${by} emailed them what is stored about the address`,
  erased: (by) => `${by} erased the address`,
  answered: (by) => `${by} answered it`,
}

const History = ({ events }: { events: readonly InquiryEvent[] }) => (
  <Panel title="History">
    <Timeline events={events.map(({ kind, at, actor }) => ({ at, text: EVENT_TEXTS[kind](actor ?? 'The team') }))} />
  </Panel>
)

const OtherInquiries = ({ others }: { others: InquiryRecord['others'] }) => (
  <Panel title="Other inquiries of this address">
    <ul className="grid gap-1 text-sm">
      {others.map(({ id, kind, createdAt, answeredAt }) => (
        <li key={id}>
          <ScreenLink
            screen="inquiry"
            params={{ id }}
            className="inline-flex min-h-11 items-center gap-2 underline underline-offset-4 hover:text-gold-bright"
          >
            {kind}, {formatUtcDay(createdAt)}
          </ScreenLink>{' '}
          <span className="text-muted">{answeredAt ? 'answered' : 'open'}</span>
        </li>
      ))}
    </ul>
  </Panel>
)
