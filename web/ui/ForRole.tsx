import type { ReactNode } from 'react'
import type { MemberRole } from '../../api/contract/index.ts'
import { useMay } from '../lib/use-agency.ts'

interface Props {
  readonly least: MemberRole
  readonly children: ReactNode
}

/** What only members of a role, or of one above it, can do: the server refuses it to the others. */
export const ForRole = ({ least, children }: Props) => useMay(least) && children
