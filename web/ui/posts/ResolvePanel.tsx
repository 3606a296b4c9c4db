import { useState } from 'react'
import { resolve, type PostAction } from '../../lib/post-actions.ts'
import { Button } from '../Button.tsx'
import { TextField } from '../TextField.tsx'

interface Props {
  readonly onAct: (action: PostAction) => void
  readonly running: string | null
}

/** The outcome is unknown: a user who looked on the network decides. The reason stands above. */
export function ResolvePanel({ onAct, running }: Props) {
  const [url, setUrl] = useState('')
  const [error, setError] = useState<string>()
  const sayLive = () => {
    if (/^https?:\/\/\S+\.?\S+/i.test(url.trim())) return onAct(resolve(url.trim()))
    setError('Enter a web address that starts with http:// or https://')
  }
  return (
    <fieldset aria-label="Settle the outcome" className="mt-3 flex min-w-0 flex-col gap-3">
      <TextField
        label="It is live at this URL"
        type="url"
        placeholder="https://"
        value={url}
        error={error}
        onChange={(value) => {
          setUrl(value)
          setError(undefined)
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onPress={sayLive} pending={running === 'resolve'}>
          It is live
        </Button>
        <Button size="sm" onPress={() => onAct(resolve(false))} isDisabled={running !== null}>
          It is not live
        </Button>
      </div>
    </fieldset>
  )
}
