/** The apps on this phone: importing one installs it. */
import './clock/manifest';
import './notes/manifest';
import './contacts/manifest';
import './settings/manifest';
