/** Entry of the provider's page. */
import "./components/provider-app.ts";
import { t } from "./i18n.ts";

document.documentElement.lang = t("languageTag");
document.title = t("extensionName");
