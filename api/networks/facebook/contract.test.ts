import { networkContract } from '../test/suite.ts'
import { onSandbox, usual } from '../test/helpers.ts'

networkContract({ ...usual, platform: 'facebook', sharesSeveral: true }, onSandbox('facebook'))
