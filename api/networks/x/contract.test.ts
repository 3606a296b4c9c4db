import { networkContract } from '../suite.ts'
import { onSandbox, usual } from '../testing.ts'

networkContract({ ...usual, platform: 'twitter', renewal: 'rotating', revokes: true }, onSandbox('twitter'))
