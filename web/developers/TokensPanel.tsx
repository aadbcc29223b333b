import { useState } from 'react'
import { OPEN_PARAM } from '../../worker/contract/admin-screens'
import {
  type ApiToken,
  ApiTokenDraft,
  developersApi,
  TOKEN_AREAS,
  TOKEN_SCOPES,
  type TokenArea,
  type TokenScope,
} from '../../worker/contract/developers'
import { useAdminMutation } from '../admin/admin.queries'
import { AdminList } from '../admin/list/AdminList'
import type { AdminListDefinition } from '../admin/list/list-definition'
import { useScreenSearch } from '../admin/screen-location'
import { call, errorMessage } from '../api/call'
import { capitalize, formatDate, formatDateTime } from '../lib/format'
import { useSchemaForm } from '../lib/useSchemaForm'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { SelectField, TextField } from '../ui/Field'
import { FormError } from '../ui/FormError'
import { toast, toastError } from '../ui/toast'
import { NewSecret } from './NewSecret'

const API_TOKEN_QUERY_KEYS = ['api-tokens', 'audit']

const STATE_LABELS: Record<ApiToken['state'], string> = {
  active: 'Active',
  expired: 'Expired',
  inactive: 'Its owner left the team, or all their sessions were ended',
}

const tokenList: AdminListDefinition<'/api/admin/api-tokens', ApiToken> = {
  name: 'api-tokens',
  title: 'Access tokens',
  endpoint: developersApi.tokens,
  urlPrefix: 'tokens.',
  nameOf: (row) => row.name,
  empty: 'No access tokens yet. Create one for each script or service, so that you can revoke it alone.',
  columns: [
    {
      id: 'name',
      header: 'Name',
      cell: (row) => (
        <>
          <span className="font-semibold">{row.name}</span>
          <span className="block text-sm text-muted">
            {row.owner}, ends in {row.hint}
          </span>
        </>
      ),
    },
    {
      id: 'scopes',
      header: 'Permissions',
      cell: (row) => <span className="text-sm">{describeScopes(row.scopes)}</span>,
    },
    {
      id: 'lastUsedAt',
      header: 'Last used',
      cell: (row) => (row.lastUsedAt === null ? 'Never' : formatDateTime(row.lastUsedAt)),
    },
    {
      id: 'expiresAt',
      header: 'Expires',
      cell: (row) => (
        <span className={row.state === 'active' ? 'tabular-figures' : 'text-sunset'}>
          {row.state === 'active' ? formatDate(row.expiresAt) : STATE_LABELS[row.state]}
        </span>
      ),
    },
  ],
}

/** 'Read orders and payments; read and change music and files'. */
function describeScopes(scopes: readonly TokenScope[]): string {
  const parts = (Object.keys(TOKEN_AREAS) as TokenArea[]).flatMap((area) => {
    const verbs = [scopes.includes(`${area}:read`) && 'read', scopes.includes(`${area}:write`) && 'change']
    const verb = verbs.filter(Boolean).join(' and ')
    return verb ? [`${verb} ${TOKEN_AREAS[area].toLowerCase()}`] : []
  })
  return capitalize(parts.join('; '))
}

const OPEN_TOKEN_PARAM = `tokens.${OPEN_PARAM}`

export function TokensPanel() {
  const [search, setSearch] = useScreenSearch()
  const isAdding = search[OPEN_TOKEN_PARAM] === 'new'
  const close = () => setSearch({ [OPEN_TOKEN_PARAM]: '' })
  const [secret, setSecret] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<ApiToken | null>(null)
  const revoke = useAdminMutation((id: string) => call(developersApi.revokeToken, { id }), API_TOKEN_QUERY_KEYS)
  return (
    <>
      <AdminList
        list={tokenList}
        note="A token acts for the owner who created it, within the permissions you choose. It can never manage the team, tokens or exports."
        tools={
          !isAdding && (
            <Button onClick={() => setSearch({ [OPEN_TOKEN_PARAM]: 'new' }, { push: true })}>Create a token</Button>
          )
        }
        actions={(row) => (
          <Button variant="text" aria-label={`Revoke ${row.name}`} onClick={() => setRevoking(row)}>
            Revoke
          </Button>
        )}
      >
        {secret && <NewSecret label="Your new access token" secret={secret} onClose={() => setSecret(null)} />}
        {isAdding && (
          <TokenForm
            onClose={close}
            onCreated={(token) => {
              setSecret(token)
              close()
            }}
          />
        )}
      </AdminList>
      {revoking && (
        <ConfirmDialog
          title={`Revoke ${revoking.name}?`}
          confirmLabel="Revoke"
          pending={revoke.isPending}
          onClose={() => setRevoking(null)}
          onConfirm={() =>
            revoke.mutate(revoking.id, {
              onSuccess: () => toast({ title: 'Revoked', text: `${revoking.name} no longer works.` }),
              onError: toastError('Not revoked'),
              onSettled: () => setRevoking(null),
            })
          }
        >
          <p>Anything that uses this token stops working right away. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const EXPIRY_OPTIONS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
]

function TokenForm({ onClose, onCreated }: { onClose: () => void; onCreated: (token: string) => void }) {
  const form = useSchemaForm(ApiTokenDraft, { name: '', scopes: [], expiresInDays: 90 })
  const { errors, isSubmitting } = form.formState
  const create = useAdminMutation(
    (body: ApiTokenDraft) => call(developersApi.createToken, { body }),
    API_TOKEN_QUERY_KEYS,
  )
  const submit = form.handleSubmit(async (draft) => {
    try {
      onCreated((await create.mutateAsync(draft)).token)
    } catch (error) {
      form.setError('root', { message: errorMessage(error as Error) })
    }
  })
  const formError = errors.scopes?.message ?? errors.root?.message
  const permissionField = (scope: TokenScope, verb: string, areaLabel: string) => (
    <label className="flex min-h-12 min-w-24 cursor-pointer items-center gap-3">
      <input
        type="checkbox"
        value={scope}
        aria-label={`${verb} ${areaLabel.toLowerCase()}`}
        className="size-5 shrink-0 accent-gold"
        {...form.register('scopes')}
      />
      {verb}
    </label>
  )
  return (
    <form
      noValidate
      onSubmit={(event) => (isSubmitting ? event.preventDefault() : void submit(event))}
      className="mb-10 grid max-w-3xl gap-6 border border-rule p-5 md:p-8"
    >
      <div className="flex flex-wrap items-start gap-4">
        <TextField
          label="Name"
          required
          error={errors.name?.message}
          placeholder="Merch spreadsheet"
          className="min-w-60 flex-1"
          {...form.register('name')}
        />
        <SelectField
          label="Expires after"
          options={EXPIRY_OPTIONS}
          className="min-w-40"
          {...form.register('expiresInDays', { valueAsNumber: true })}
        />
      </div>
      <fieldset>
        <legend className="font-label text-muted">Permissions</legend>
        <ul className="mt-2">
          {(Object.keys(TOKEN_AREAS) as TokenArea[]).map((area) => (
            <li key={area} className="flex flex-wrap items-center justify-between gap-x-6 border-t border-rule">
              <span className="py-2">{TOKEN_AREAS[area]}</span>
              <span className="flex gap-6">
                {permissionField(`${area}:read`, 'Read', TOKEN_AREAS[area])}
                {TOKEN_SCOPES.includes(`${area}:write`) &&
                  permissionField(`${area}:write`, 'Change', TOKEN_AREAS[area])}
              </span>
            </li>
          ))}
        </ul>
      </fieldset>
      <FormError>{formError}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" aria-disabled={isSubmitting}>
          Create the token
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
