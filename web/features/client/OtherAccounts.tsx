/** The further accounts that get the same post, each with a text of its own where its network needs one. */
import { Checkbox } from 'react-aria-components/Checkbox'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import { textLength, textLimits, type SocialAccount } from '../../../api/contract/index.ts'
import { maxGroupPosts } from '../../../api/contract/limits.ts'
import { platformLook } from '../../lib/platforms.ts'
import { Button } from '../../ui/Button.tsx'
import { checkboxStyle } from '../../ui/checkbox-style.ts'
import { errorStyle, hintStyle, labelStyle } from '../../ui/field.ts'
import { LimitRing } from '../../ui/LimitRing.tsx'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { textFor } from './composer-draft.ts'
import type { Composing } from './use-composer.ts'
import { words } from './words.ts'

interface Props {
  readonly accounts: readonly SocialAccount[]
  readonly composer: Composing
}

export default function OtherAccounts({ accounts, composer }: Props) {
  const { draft, change, others } = composer
  const offered = accounts.filter(({ id }) => id !== draft.accountId)
  if (draft.accountId === null || offered.length === 0) return null
  const isFull = others.length >= maxGroupPosts - 1
  return (
    <CheckboxGroup
      value={[...draft.others]}
      onChange={(ids) => change({ others: ids })}
      className="flex flex-col gap-2"
      data-testid="other-accounts"
    >
      <Label className={labelStyle}>{words.alsoPostTo}</Label>
      {isFull && <p className={hintStyle}>{words.maxAccounts}</p>}
      {offered.map((account) => (
        <div key={account.id} className="flex flex-col gap-2">
          <div className="flex min-h-8 items-center gap-3">
            <Checkbox
              value={account.id}
              isDisabled={isFull && !others.includes(account)}
              className={`${checkboxStyle} min-w-0 flex-1`}
            >
              <PlatformIcon platform={account.platform} />
              <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2.5">
                <span className="wrap-anywhere">
                  {words.accountOn(account.accountName, platformLook[account.platform].title)}
                </span>
                {!account.isConnected && <span className="text-sm text-quiet">{words.notConnected}</span>}
              </span>
            </Checkbox>
            {others.includes(account) && (
              <LimitRing
                used={textLength(account.platform, textFor(draft, account.id))}
                limit={textLimits[account.platform]}
              />
            )}
          </div>
          {others.includes(account) && <OwnText account={account} composer={composer} />}
        </div>
      ))}
    </CheckboxGroup>
  )
}

function OwnText({ account, composer }: { readonly account: SocialAccount; readonly composer: Composing }) {
  const { draft, change, problemsFor } = composer
  const { content, image } = problemsFor(account)
  const own = draft.texts[account.id]
  const write = (text: string) => change({ texts: { ...draft.texts, [account.id]: text } })
  const useShared = () => {
    const { [account.id]: _, ...texts } = draft.texts
    change({ texts })
  }
  const name = platformLook[account.platform].title
  return (
    <div className="flex flex-col items-start gap-1 pl-6.5">
      {own === undefined ? (
        <>
          {(content ?? image) !== undefined && <p className={errorStyle}>{content ?? image}</p>}
          <Button look="link" size="inline" onPress={() => write(draft.content)}>
            {words.differentText(name)}
          </Button>
        </>
      ) : (
        <>
          <TextField
            label={words.textFor(account.accountName, name)}
            rows={4}
            value={own}
            onChange={write}
            error={own.trim() === '' ? words.contentEmpty : (content ?? image)}
            className="w-full"
          />
          <Button look="link" size="inline" onPress={useShared}>
            {words.sharedText}
          </Button>
        </>
      )}
    </div>
  )
}
