/** The fields of an invitation and of a change: a role, and the clients it is for. */
import { Checkbox } from 'react-aria-components/Checkbox'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import {
  givenRoles,
  isForAllClients,
  mayManage,
  type Client,
  type GivenRole,
  type MemberRole,
} from '../../../api/contract/index.ts'
import { roleNames } from '../../lib/role-names.ts'
import { checkboxStyle } from '../../ui/checkbox-style.ts'
import { errorStyle, hintStyle, labelStyle } from '../../ui/field.ts'
import { radioStyle } from '../../ui/radio-style.ts'
import { words } from './words.ts'

/** What the fields hold; the chosen clients stay chosen while the role is one for all clients. */
export interface RoleChoice {
  readonly role: GivenRole
  /** Null until the person has chosen. */
  readonly every: boolean | null
  readonly chosen: readonly string[]
}

export const noClientChosen = ({ role, every, chosen }: RoleChoice): boolean =>
  !isForAllClients(role) && !every && chosen.length === 0

export const clientMissing = ({ every }: RoleChoice): string =>
  every === null ? words.chooseClients : words.chooseClient

/** As the API takes it. */
export const scopeOf = ({ role, every, chosen }: RoleChoice) =>
  isForAllClients(role) || every ? ('all' as const) : [...chosen]

interface Props {
  readonly choice: RoleChoice
  readonly onChange: (choice: RoleChoice) => void
  /** Of the member who gives the role. */
  readonly ownRole: MemberRole
  readonly clients: readonly Client[]
  readonly error: string | undefined
}

export function RoleAndClients({ choice, onChange, ownRole, clients, error }: Props) {
  const { role, every, chosen } = choice
  return (
    <>
      <RadioGroup
        value={role}
        onChange={(next) => onChange({ ...choice, role: next as GivenRole })}
        className="flex flex-col gap-2"
        data-testid="radio-role"
      >
        <Label className={labelStyle}>{words.role}</Label>
        {givenRoles
          .filter((each) => mayManage(ownRole, each))
          .map((each) => (
            <Radio key={each} value={each} className={`${radioStyle} min-h-7`}>
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{roleNames[each]}</span>
                <span className="text-sm text-quiet">{words.roleNotes[each]}</span>
              </span>
            </Radio>
          ))}
      </RadioGroup>
      {isForAllClients(role) ? (
        <p className={hintStyle}>{words.forAll}</p>
      ) : (
        <div className="flex flex-col gap-2">
          <RadioGroup
            value={every === null ? null : every ? 'every' : 'some'}
            isInvalid={every === null && error !== undefined}
            onChange={(next) => onChange({ ...choice, every: next === 'every' })}
            className="flex flex-col gap-2"
          >
            <Label className={labelStyle}>{words.which}</Label>
            <Radio value="every" className={`${radioStyle} min-h-7`}>
              {words.everyClient}
            </Radio>
            {clients.length > 0 && (
              <Radio value="some" className={`${radioStyle} min-h-7`}>
                {words.someClients}
              </Radio>
            )}
          </RadioGroup>
          {every === null && error !== undefined && (
            <p role="alert" className={errorStyle}>
              {error}
            </p>
          )}
          {every === false && (
            <CheckboxGroup
              aria-label={words.someClients}
              value={[...chosen]}
              onChange={(ids) => onChange({ ...choice, chosen: ids })}
              isInvalid={error !== undefined}
              className="ml-6.5 flex flex-col gap-1"
              data-testid="checkboxes-clients"
            >
              {clients.map(({ id, name }) => (
                <Checkbox key={id} value={id} className={`${checkboxStyle} min-h-7`}>
                  <span dir="auto" className="wrap-anywhere">
                    {name}
                  </span>
                </Checkbox>
              ))}
              {error !== undefined && (
                <p role="alert" className={errorStyle}>
                  {error}
                </p>
              )}
            </CheckboxGroup>
          )}
        </div>
      )}
    </>
  )
}
