import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { INQUIRY_KINDS, type InquiryKind, MAX_INQUIRY_LENGTH } from '../../worker/contract/draft-rules'
import type { InquiryDraft } from '../../worker/contract/drafts'
import { privacyApi } from '../../worker/contract/privacy'
import { INQUIRY_RESPONSE_DAYS } from '../../worker/contract/retention'
import { call } from '../api/call'
import { useSchemaForm } from '../lib/useSchemaForm'
import { Button } from '../ui/Button'
import { SelectField, TextAreaField, TextField } from '../ui/Field'
import { focusOnMount } from '../ui/focus'
import { toastError } from '../ui/toast'

const KIND_LABELS: Record<InquiryKind, string> = {
  access: 'See my data',
  correction: 'Correct my data',
  deletion: 'Delete my data',
  objection: 'Object to a use',
  other: 'Something else',
}
const kindOptions = INQUIRY_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))

const loadInquirySchema = () => import('../../worker/contract/drafts').then(({ InquiryDraft }) => InquiryDraft)

export function InquiryForm() {
  const sendInquiry = useSendInquiry()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { register, handleSubmit, reset, formState } = useSchemaForm(loadInquirySchema, {
    email: '',
    kind: 'access',
    message: '',
  })
  const { errors } = formState

  const send = handleSubmit((body) => {
    if (sendInquiry.isPending) return
    sendInquiry.mutate(body, {
      onSuccess: () => {
        setSentTo(body.email)
        reset()
      },
      onError: toastError('Not sent'),
    })
  })

  if (sentTo !== null)
    return (
      <div ref={focusOnMount} tabIndex={-1} role="status" className="border-l-4 border-gold py-2 pl-6 outline-none">
        <p className="font-display text-lg">We received your question.</p>
        <p className="mt-2 text-muted">
          We’ll answer at {sentTo} within {INQUIRY_RESPONSE_DAYS} days. We just emailed you a link: please confirm your
          inquiry there, so that we know the address is yours.
        </p>
        <Button className="mt-6" onClick={() => setSentTo(null)}>
          Ask something else
        </Button>
      </div>
    )
  return (
    <form noValidate method="post" onSubmit={send} className="grid max-w-xl gap-6">
      <SelectField label="Topic" options={kindOptions} error={errors.kind?.message} {...register('kind')} />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        hint="We’ll answer to this address."
        error={errors.email?.message}
        {...register('email')}
      />
      <TextAreaField
        label="Your question"
        required
        maxLength={MAX_INQUIRY_LENGTH}
        rows={5}
        error={errors.message?.message}
        {...register('message')}
      />
      <Button
        type="submit"
        variant="primary"
        aria-disabled={sendInquiry.isPending}
        className="min-h-14 justify-self-start"
      >
        {sendInquiry.isPending ? 'Sending' : 'Send the question'}
      </Button>
    </form>
  )
}

const useSendInquiry = () =>
  useMutation({ mutationFn: (body: InquiryDraft) => call(privacyApi.createInquiry, { body }) })
