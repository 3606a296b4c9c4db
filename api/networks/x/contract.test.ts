import { networkContract } from '../test/suite.ts'
import { onSandbox, usual } from '../test/helpers.ts'

networkContract({ ...usual, platform: 'twitter', renewal: 'rotating', revokes: true }, onSandbox('twitter'))
