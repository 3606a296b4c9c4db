import { networkContract } from '../suite.ts'
import { onSandbox, usual } from '../testing.ts'

networkContract(
  { ...usual, platform: 'instagram', takesText: false, renewal: 'itself', hasQuota: true },
  onSandbox('instagram'),
)
