import { networkContract } from '../suite.ts'
import { onSandbox, usual } from '../testing.ts'

networkContract({ ...usual, platform: 'linkedin', sharesSeveral: true, renewal: 'lasting' }, onSandbox('linkedin'))
