import { networkContract } from '../test/suite.ts'
import { onSandbox, usual } from '../test/helpers.ts'

networkContract(
  { ...usual, platform: 'instagram', takesText: false, renewal: 'itself', hasQuota: true, provesAbsence: true },
  onSandbox('instagram'),
)
