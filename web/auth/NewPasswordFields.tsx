import { useState } from 'react'
import { PasswordField } from '../ui/Field'
import { StrengthMeter } from './StrengthMeter'

/** A new password, twice. `problems` stand beside the fields. */
export function NewPasswordFields({ problems }: { problems: { password?: string; confirm?: string } }) {
  const [password, setPassword] = useState('')
  return (
    <>
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={problems.password}
        hint={<StrengthMeter password={password} />}
      />
      <PasswordField
        label="Confirm new password"
        name="confirm"
        autoComplete="new-password"
        required
        error={problems.confirm}
      />
    </>
  )
}
