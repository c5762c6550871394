"""From our boards to Grafana's JSON."""

from __future__ import annotations

import itertools
import json

from grafana_foundation_sdk.builders import bargauge, common, dashboard, prometheus, stat, timeseries
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import common as looks
from grafana_foundation_sdk.models import dashboard as models
from tools.dashboards.panel import Board, Kind, Panel

AnyPanel = timeseries.Panel | stat.Panel | bargauge.Panel
SOURCE = models.DataSourceRef(type_val="prometheus", uid="$datasource")
SERIES = '{__name__=~"mobilegym_(worker_phones|learner_step|run_phase)"%s}'
TAG = "mobilegym"
SLOW_STEP = "1m"  # least time between two points where counters move once in minutes


def as_json(board: Board) -> str:
    """The file's text."""
    built = build(board)
    return json.dumps(built, cls=JSONEncoder, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def build(board: Board) -> models.Dashboard:
    made = (
        dashboard.Dashboard(board.title)
        .uid(f"mobilegym-{board.name}")
        .description(board.about)
        .tags([TAG])
        .timezone("browser")
        .tooltip(models.DashboardCursorSync.CROSSHAIR)
        .refresh("10s")
        .time("now-1h", "now")
        .readonly()
        .link(_links())
    )
    for variable in _variables():
        made.with_variable(variable)
    ids = itertools.count(1)
    for row in board.rows:
        made.with_row(dashboard.Row(row.title).id(next(ids)))
        for panel in row.panels:
            made.with_panel(_panel(panel).id(next(ids)))
    return made.build()


def _links() -> dashboard.DashboardLink:
    """To the other dashboards, for the same run and time."""
    link = dashboard.DashboardLink("MobileGym").type(models.DashboardLinkType.DASHBOARDS).tags([TAG])
    return link.as_dropdown(True).include_vars(True).keep_time(True)


def _variables() -> list[dashboard.DatasourceVariable | dashboard.QueryVariable]:
    namespaces = SERIES % ""
    runs = SERIES % ',namespace=~"$namespace"'
    return [
        dashboard.DatasourceVariable("datasource").label("Data source").type("prometheus"),
        _choice("namespace", "Namespace", f"label_values({namespaces}, namespace)"),
        _choice("run", "Run", f"label_values({runs}, run)"),
    ]


def _choice(name: str, label: str, query: str) -> dashboard.QueryVariable:
    made = dashboard.QueryVariable(name).label(label).datasource(SOURCE)
    made.query({"query": query, "refId": name}).sort(models.VariableSort.ALPHABETICAL_ASC)
    made.refresh(models.VariableRefresh.ON_TIME_RANGE_CHANGED)
    return made.multi(True).include_all(True).all_value(".+")


def _panel(panel: Panel) -> AnyPanel:
    made = _bare(panel)
    made.title(panel.title).description(panel.advice).datasource(SOURCE)
    made.unit(panel.unit.value).span(panel.width).height(panel.height)
    made.thresholds(_limits(panel)).no_value("no data yet")
    if panel.lowest is not None:
        made.min(panel.lowest)
    if panel.highest is not None:
        made.max(panel.highest)
    if panel.decimals is not None:
        made.decimals(panel.decimals)
    if panel.slow:
        made.interval(SLOW_STEP)
    for index, query in enumerate(panel.queries):
        target = prometheus.Dataquery().expr(query.expr).legend_format(query.legend).ref_id(chr(ord("A") + index))
        made.with_target(target.instant() if panel.kind is Kind.BARS else target.range())
    return made


def _bare(panel: Panel) -> AnyPanel:
    match panel.kind:
        case Kind.CURVE:
            return _curve(panel)
        case Kind.NUMBER:
            return _number()
        case Kind.BARS:
            return _bars()


def _curve(panel: Panel) -> timeseries.Panel:
    many = looks.TooltipDisplayMode.MULTI
    made = timeseries.Panel().line_width(2).fill_opacity(40 if panel.stacked else 8).span_nulls(True)
    made.show_points(looks.VisibilityMode.NEVER)
    made.tooltip(common.VizTooltipOptions().mode(many).sort(looks.SortOrder.DESCENDING))
    made.legend(_legend())
    if panel.stacked:
        made.stacking(common.StackingConfig().mode(looks.StackingMode.NORMAL))
    if panel.steps:
        made.line_interpolation(looks.LineInterpolation.STEP_AFTER)
    if panel.limits:
        dashed = looks.GraphThresholdsStyleMode.DASHED
        made.thresholds_style(common.GraphThresholdsStyleConfig().mode(dashed))
    return made.color_scheme(dashboard.FieldColor().mode(models.FieldColorModeId.PALETTE_CLASSIC))


def _legend() -> common.VizLegendOptions:
    made = common.VizLegendOptions().display_mode(looks.LegendDisplayMode.TABLE)
    return made.placement(looks.LegendPlacement.BOTTOM).show_legend(True).calcs(["lastNotNull", "mean", "max"])


def _number() -> stat.Panel:
    made = stat.Panel().graph_mode(looks.BigValueGraphMode.AREA).color_mode(looks.BigValueColorMode.VALUE)
    return made.reduce_options(_last()).color_scheme(_by_limit())


def _bars() -> bargauge.Panel:
    made = bargauge.Panel().display_mode(looks.BarGaugeDisplayMode.GRADIENT)
    return made.orientation(looks.VizOrientation.HORIZONTAL).reduce_options(_last()).color_scheme(_by_limit())


def _last() -> common.ReduceDataOptions:
    return common.ReduceDataOptions().calcs(["lastNotNull"])


def _by_limit() -> dashboard.FieldColor:
    return dashboard.FieldColor().mode(models.FieldColorModeId.THRESHOLDS)


def _limits(panel: Panel) -> dashboard.ThresholdsConfig:
    steps = [models.Threshold(value=None, color=panel.base.value)]
    steps += [models.Threshold(value=limit.at, color=limit.colour.value) for limit in panel.limits]
    return dashboard.ThresholdsConfig().mode(models.ThresholdsMode.ABSOLUTE).steps(steps)
