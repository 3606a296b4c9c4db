import { networkContract } from '../test/suite.ts'
import { onSandbox, usual } from '../test/helpers.ts'

networkContract({ ...usual, platform: 'linkedin', sharesSeveral: true, renewal: 'lasting' }, onSandbox('linkedin'))
