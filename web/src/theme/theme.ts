// Runs before the first paint, so that a page never flashes in the other
// theme; and says that scripts run, so that what only works with them is shown.

import {apply, kept} from './choice.ts';

apply(kept());
document.documentElement.dataset['js'] = '';
